/** The OpenAPI 3.1 document, made from the route table and the schemas the handlers use. */

import type { TSchema } from 'typebox';
import { cacaoComponents } from '../../core/cacao/schema/components.ts';
import { catalogue, type RefusalCode } from '../../core/errors/catalogue.ts';
import type { AnswerShape, Parameter, Route } from './route.ts';
import { errorSchema } from './wire/error.ts';

type Json = { readonly [key: string]: unknown };

/** What every call can be answered with, whatever it asks for. */
const commonRefusals: readonly RefusalCode[] = ['internal', 'store-away'];
const accessRefusals: readonly RefusalCode[] = [
  'unauthenticated',
  'token-invalid',
  'role-missing',
  'forbidden',
  'rate-limited',
  'identity-provider-away',
];
const bodyRefusals: readonly RefusalCode[] = ['body-empty', 'body-not-json', 'body-too-deep'];

export function openApiDocument(routes: readonly Route[], version: string): Json {
  const components = new Components();
  const paths = new Map<string, { [method: string]: Json }>();
  for (const route of routes) {
    const path = paths.get(`/${route.path}`) ?? {};
    path[route.method.toLowerCase()] = operation(route, components);
    paths.set(`/${route.path}`, path);
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Theobroma',
      version,
      description: 'Stores and executes CACAO 2.0 security playbooks and reports on them.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    paths: Object.fromEntries(paths),
    components: {
      schemas: components.schemas,
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' } },
    },
  };
}

function operation(route: Route, components: Components): Json {
  const { needs, parameters = [], body } = route;
  return {
    operationId: route.name,
    tags: [route.tag],
    summary: route.summary,
    ...(needs === 'open'
      ? {}
      : { security: [{}, { bearer: needs === 'any-role' ? [] : [needs] }] }),
    ...(parameters.length === 0 ? {} : { parameters: parameters.map(parameter) }),
    ...(body === undefined
      ? {}
      : { requestBody: { required: body.required, content: json(components.use(body.schema)) } }),
    responses: { ...successes(route.answers, components), ...failures(route, components) },
  };
}

function parameter({ in: place, name, description, schema }: Parameter): Json {
  return { in: place, name, description, required: place === 'path', schema };
}

function successes(answers: Route['answers'], components: Components): Json {
  return Object.fromEntries(
    Object.entries(answers).map(([status, answer]) => [status, success(answer, components)]),
  );
}

function success({ description, schema, contentType }: AnswerShape, components: Components): Json {
  if (contentType !== undefined) {
    return { description, content: { [contentType]: { schema: { type: 'string' } } } };
  }
  if (schema === undefined) return { description };
  return { description, content: json(components.use(schema)) };
}

/** Refusals by status, each with the sentences it may say. */
function failures(route: Route, components: Components): Json {
  const codes: readonly RefusalCode[] = [
    ...(route.refusals ?? []),
    ...(route.body === undefined ? [] : bodyRefusals),
    ...(route.needs === 'open' ? [] : accessRefusals),
    ...commonRefusals,
  ];
  const byStatus = new Map<number, string[]>();
  for (const code of new Set(codes)) {
    const { status, message } = catalogue[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), `${code}: ${message}`]);
  }
  return Object.fromEntries(
    [...byStatus].map(([status, lines]) => [
      String(status),
      { description: lines.join('\n\n'), content: json(components.use(errorSchema)) },
    ]),
  );
}

function json(schema: Json): Json {
  return { 'application/json': { schema } };
}

/** The schemas of CACAO as they are, and those of the API with a name of their own, written once. */
class Components {
  readonly schemas: { [name: string]: unknown } = { ...cacaoComponents };
  readonly #names = new Map<unknown, string>(
    Object.entries(cacaoComponents).map(([name, schema]) => [schema, name]),
  );

  use(schema: TSchema): Json {
    return this.#inline(schema) as Json;
  }

  #inline(schema: unknown): unknown {
    if (typeof schema !== 'object' || schema === null) return schema;
    if (Array.isArray(schema)) return schema.map((item) => this.#inline(item));
    const name = this.#names.get(schema) ?? titleOf(schema);
    if (name === undefined) return this.#members(schema);
    this.schemas[name] ??= this.#members(schema);
    return { $ref: `#/components/schemas/${name}` };
  }

  #members(schema: object): Json {
    return Object.fromEntries(
      Object.entries(schema).map(([key, value]) => [key, this.#inline(value)]),
    );
  }
}

function titleOf(schema: object): string | undefined {
  const title = 'title' in schema && 'type' in schema ? schema.title : undefined;
  return typeof title === 'string' && /^[A-Z][A-Za-z]+$/.test(title) ? title : undefined;
}
