/** The general error object (spec, Error object) and the findings beside it. */

import { Type } from 'typebox';

export const findingSchema = Type.Object(
  {
    rule: Type.String(),
    severity: Type.Union([Type.Literal('error'), Type.Literal('warning')]),
    pointer: Type.String({ description: 'JSON pointer (RFC 6901)' }),
    message: Type.String(),
  },
  { title: 'Finding' },
);

export const errorSchema = Type.Object(
  {
    status: Type.String({ description: 'The HTTP status as text.' }),
    message: Type.String(),
    'original-call': Type.Optional(Type.String()),
    'downstream-call': Type.Optional(Type.String()),
    findings: Type.Optional(Type.Array(findingSchema)),
  },
  { title: 'Error' },
);
