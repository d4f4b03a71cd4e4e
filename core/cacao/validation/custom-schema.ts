/** Compiles a schema an installation brings along (VALIDATION_SCHEMA_URL), drafts 7 to 2020-12. */

import { Ajv, type AnySchemaObject, type Options } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { JsonObject } from '../../json.ts';
import type { SchemaCheck } from './schema-check.ts';

/**
 * `load` fetches the schemas it refers to. Rejects when the schema itself is not valid or a reference cannot
 * be loaded. Unknown keywords are ignored, as JSON Schema asks for.
 */
export async function compileCustomSchema(
  schema: JsonObject,
  load: (uri: string) => Promise<JsonObject>,
): Promise<SchemaCheck> {
  const loadSchema = async (uri: string): Promise<AnySchemaObject> => ({ ...(await load(uri)) });
  const options: Options = { allErrors: true, strict: false, logger: false, loadSchema };
  const dialect = schema['$schema'];
  const ajv =
    typeof dialect === 'string' && /20(19-09|20-12)/.test(dialect)
      ? new Ajv2020(options)
      : new Ajv(options);
  addFormats.default(ajv);
  const validate = await ajv.compileAsync({ ...schema });
  return (json) => (validate(json) ? [] : (validate.errors ?? []));
}
