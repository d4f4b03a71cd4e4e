/**
 * One endpoint: everything the host, the handler wrapper, the permission check and the OpenAPI document
 * need to know of it. The table of all of them is `routes.ts`.
 */

import type { TSchema } from 'typebox';
import type { Caller, Need } from '../../core/access/permissions.ts';
import type { RefusalCode } from '../../core/errors/catalogue.ts';
import type { JsonValue } from '../../core/json.ts';
import type { Orchestrations } from '../../core/ports/orchestrations.ts';
import type { Composition } from '../composition.ts';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

export type Route = {
  /** Name of the function and operationId. The host tries functions in the order of their names. */
  readonly name: string;
  readonly method: Method;
  /** Without leading slash; parameters in braces. */
  readonly path: string;
  readonly needs: Need;
  readonly tag: string;
  readonly summary: string;
  readonly parameters?: readonly Parameter[];
  readonly body?: { readonly schema: TSchema; readonly required: boolean };
  readonly answers: { readonly [status: number]: AnswerShape };
  /** Beyond those every call can meet (see openapi.ts). */
  readonly refusals?: readonly RefusalCode[];
  /** The route starts or wakes executions. */
  readonly durable?: true;
  readonly handle: (call: Call) => Promise<Answer>;
};

export type Parameter = {
  readonly in: 'path' | 'query' | 'header';
  readonly name: string;
  readonly description: string;
  readonly schema: TSchema;
};

export type AnswerShape = {
  readonly description: string;
  readonly schema?: TSchema;
  /** Other than application/json. */
  readonly contentType?: string;
};

/** A request as a handler sees it: decoded, size-checked, its caller known. */
export type Call = {
  readonly composition: Composition;
  /** All endpoints, this one included. */
  readonly routes: readonly Route[];
  readonly caller: Caller;
  readonly orchestrations: Orchestrations;
  /** Of the path, URL-decoded; refuses nothing. */
  param(name: string): string;
  header(name: string): string | undefined;
  readonly query: URLSearchParams;
  /** Refuses with the `body-...` codes; undefined for an empty body. */
  json(): Promise<JsonValue | undefined>;
};

export type Answer = {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** Serialised as JSON. */
  readonly body?: unknown;
  /** Sent as it is, with the content type given in `headers`. */
  readonly text?: string | Uint8Array;
};
