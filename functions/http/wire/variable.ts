import { type Static, Type } from 'typebox';
import type { Variables } from '../../../core/cacao/playbook.ts';

/** Variable object (spec, Resources), every member present. */
export const variableSchema = Type.Object(
  {
    type: Type.String(),
    name: Type.String(),
    description: Type.String(),
    value: Type.String(),
    constant: Type.Boolean(),
    external: Type.Boolean(),
  },
  { title: 'VariableObject' },
);

export type VariablesWire = { [name: string]: Static<typeof variableSchema> };

export const variablesSchema = Type.Record(Type.String(), variableSchema);

export function toVariablesWire(variables: Variables): VariablesWire {
  return Object.fromEntries(
    Object.entries(variables).map(([name, variable]) => [
      name,
      {
        type: variable.type,
        name,
        description: variable.description ?? '',
        value: variable.value ?? '',
        constant: variable.constant ?? false,
        external: variable.external ?? false,
      },
    ]),
  );
}
