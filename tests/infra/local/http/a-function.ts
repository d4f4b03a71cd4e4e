import type { Binding } from '../../../../infra/local/worker/core-types.ts';
import type { RegisteredFunction } from '../../../../infra/local/worker/function-registry.ts';

/** A registered function as tests of the parts need it; its handler is never called. */
export function aFunction(
  name: string,
  options: Omit<Partial<Binding>, 'direction'> = {},
): RegisteredFunction {
  const trigger: Binding = { type: 'httpTrigger', direction: 'in', ...options };
  return {
    id: name,
    name,
    metadata: { name, bindings: { trigger } },
    callback: () => undefined,
    trigger: { name: 'trigger', options: trigger },
    triggerType: trigger.type.toLowerCase(),
    extraInputs: [],
  };
}
