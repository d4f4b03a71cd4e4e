/** Runs the schema and turns what the validator says into one precise sentence per problem. */

import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import { cacaoComponents } from '../schema/components.ts';
import { addressFormats } from './address-formats.ts';
import { memberOf, type Path } from './draft.ts';
import type { Report } from './report.ts';
import { describeSchemaError, isEcho } from './schema-sentences.ts';
import { subjectOf } from './subject.ts';

/** Any compiled schema: answers what is wrong, nothing when all is well. */
export type SchemaCheck = (json: unknown) => readonly ErrorObject[];

/** Documents with more values than this are reported by their first problem only. */
const EXHAUSTIVE_LIMIT = 50_000;

const compiled = new Map<boolean, ValidateFunction>();

/**
 * `values`: how many values the document holds; collecting every problem of a huge one is costly.
 * `extent`: beside a configured schema only the structure execution stands on stays in force; metadata and
 * the forms of identifiers, times and addresses are then up to that schema.
 */
export function checkSchema(
  json: unknown,
  values: number,
  extent: 'everything' | 'structure',
  report: Report,
): void {
  const validate = compile(values <= EXHAUSTIVE_LIMIT);
  if (validate(json)) return;
  for (const error of validate.errors ?? []) {
    if (extent === 'everything' || isStructural(error)) reportError(error, json, report);
  }
}

const structuralKeywords: ReadonlySet<string> = new Set(['type', 'discriminator', 'minItems']);
const neededMembers: ReadonlySet<unknown> = new Set(['id', 'workflow', 'workflow_start']);

function isStructural({ keyword, instancePath, params }: ErrorObject): boolean {
  if (structuralKeywords.has(keyword)) return true;
  if (keyword !== 'required') return false;
  return instancePath.startsWith('/workflow/') || neededMembers.has(params['missingProperty']);
}

/** Reports what a configured schema finds; every finding has the rule `custom-schema`. */
export function checkCustomSchema(json: unknown, check: SchemaCheck, report: Report): void {
  for (const error of check(json)) {
    if (isEcho(error.keyword)) continue;
    const path = pathOf(error.instancePath, json);
    report('custom-schema', path, `${subjectOf(path)} ${error.message ?? 'is not valid'}.`);
  }
}

/**
 * Compiling takes some 60 ms, so it is done once, when the first playbook arrives. The schema is our own and
 * tested, so it is not checked against the meta-schema; references stay functions, which halves the code.
 */
function compile(allErrors: boolean): ValidateFunction {
  const known = compiled.get(allErrors);
  if (known !== undefined) return known;
  const ajv = new Ajv({
    allErrors,
    discriminator: true,
    allowUnionTypes: true,
    strictTypes: false,
    strictRequired: false,
    meta: false,
    inlineRefs: false,
    validateSchema: false,
    formats: addressFormats,
  });
  ajv.addVocabulary(['components']);
  const validate = ajv.compile({
    $ref: '#/components/schemas/Playbook',
    components: { schemas: cacaoComponents },
  });
  compiled.set(allErrors, validate);
  return validate;
}

function reportError(error: ErrorObject, json: unknown, report: Report): void {
  const path = pathOf(error.instancePath, json);
  const sentence = describeSchemaError(error, path);
  if (sentence === undefined) return;
  const [rule, says] = sentence;
  report(rule, path, `${subjectOf(path)} ${says}.`);
}

/** Steps into lists are numbers, steps into objects are texts, whatever they look like. */
function pathOf(pointer: string, root: unknown): Path {
  if (pointer === '') return [];
  const path: (string | number)[] = [];
  let here: unknown = root;
  for (const part of pointer.slice(1).split('/')) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path.push(Array.isArray(here) ? Number(key) : key);
    here = Array.isArray(here) ? here[Number(key)] : memberOf(here, key);
  }
  return path;
}
