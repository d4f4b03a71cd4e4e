/** Lets the durable engine call the orchestrators and activities of the app. */

import type { FunctionCaller } from './durable/durable-host.ts';
import type { ExtraInputs } from './worker/extra-inputs.ts';
import { fromTypedData } from './worker/typed-data.ts';
import type { Worker } from './worker/worker.ts';

export function createFunctionCaller(
  { functions, invoker }: Worker,
  extraInputs: ExtraInputs,
): FunctionCaller {
  const byName = new Map(functions.map((fn) => [fn.name, fn]));
  const namesWith = (triggerType: string) =>
    new Set(functions.filter((fn) => fn.triggerType === triggerType).map(({ name }) => name));
  return {
    orchestrators: namesWith('orchestrationtrigger'),
    activities: namesWith('activitytrigger'),
    async call(functionName, input) {
      const fn = byName.get(functionName);
      if (fn === undefined) throw new Error(`There is no function "${functionName}".`);
      const inputData = extraInputs(fn);
      if (input.route === 'live') return await invoker.invokeLive(fn, { inputData }, input);
      const trigger = { name: fn.trigger.name, data: { string: input.text } };
      const { returnValue } = await invoker.invoke(fn, { inputData: [trigger, ...inputData] });
      return fromTypedData(returnValue);
    },
  };
}
