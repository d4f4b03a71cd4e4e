/**
 * What http-api and openc2-http have in common: one HTTP request per command and target (spec,
 * Capabilities). Success is an answer with status 200 to 299.
 *
 * H1  A request is sent at most once: another address is tried only when no connection came about.
 * H2  Credentials are sent to the target they belong to and appear in no outcome.
 */

import type { Capability, CommandOutcome, Invocation } from '../../../core/ports/capability.ts';
import type { EgressPolicy } from '../addressing/egress.ts';
import type { TokenSource } from '../oauth2/token-source.ts';
import { basic, type Credential, readCredential } from './credentials.ts';
import { createHttpExchange, type HttpAnswer, type HttpExchange } from './http-exchange.ts';
import { failed, interrupted, outcomeOf, type ResultNames, unusable } from './http-outcome.ts';
import { codeOf, endpointOf, networkReason, neverConnected } from './network-failure.ts';
import { type PreparedRequest, prepareRequest } from './prepare-request.ts';
import { type HeaderLines, hasHeader, withoutHeader } from './request-headers.ts';

export type HttpCapabilityOptions = {
  /** Accept any TLS certificate of a target. */
  readonly skipCertificateCheck: boolean;
  /** Longest answer taken, also after unpacking. Default 10 MiB. */
  readonly maxResponseBytes?: number;
  /** Sent when the playbook gives no User-Agent. */
  readonly userAgent?: string;
  /** Default 20,000. */
  readonly connectTimeoutMs?: number;
  /** Acquires tokens for oauth2 authentication without one; absent, such commands are refused. */
  readonly tokens?: TokenSource;
  /** Decides on every connection by the address a name resolved to; absent, all are allowed. */
  readonly allows?: EgressPolicy;
};

export type HttpDialect = {
  /** Bare capability name. */
  readonly name: string;
  readonly names: ResultNames;
  /** Sent where the playbook gives no such header. */
  readonly defaultHeaders: HeaderLines;
};

export function createHttpCapability(
  dialect: HttpDialect,
  options: HttpCapabilityOptions,
): Capability {
  const { userAgent = 'theobroma', connectTimeoutMs = 20_000, allows } = options;
  const defaults = [...dialect.defaultHeaders, ['User-Agent', userAgent]] as const;
  const { skipCertificateCheck } = options;
  const guard = allows === undefined ? {} : { allows };
  return {
    name: dialect.name,
    targetless: false,
    begin() {
      const http = createHttpExchange({ skipCertificateCheck, connectTimeoutMs, ...guard });
      return {
        async perform(invocation) {
          const prepared = prepareRequest(invocation, defaults);
          if (!prepared.ok) return unusable(prepared.reason);
          return performRequest(prepared.request, invocation, {
            http,
            names: dialect.names,
            options,
          });
        },
        end: () => http.close(),
      };
    },
  };
}

type Means = {
  readonly http: HttpExchange;
  readonly names: ResultNames;
  readonly options: HttpCapabilityOptions;
};

async function performRequest(
  request: PreparedRequest,
  { authentication, outArgs, signal }: Invocation,
  { http, names, options }: Means,
): Promise<CommandOutcome> {
  const { tokens, maxResponseBytes: limitBytes = 10 * 1_024 * 1_024 } = options;
  try {
    const reading = await readCredential(authentication, tokens, signal);
    if (!reading.ok) return { ok: false, status: reading.status, error: reading.reason };
    const sent = await sendToFirst(http, request, reading.credential, limitBytes, signal);
    if ('problem' in sent) return sent.problem;
    const { answer, credential } = sent;
    if (answer.status === 401 && credential?.grant !== undefined) tokens?.forget(credential.grant);
    const outcome = hiding(credential, outcomeOf(answer, { names, outArgs, limitBytes }));
    return credential === undefined ? outcome : { ...outcome, secrets: [credential.secret] };
  } catch (error) {
    if (!signal.aborted) throw error;
    return interrupted(request.urls.map(endpointOf).join(' or '), signal);
  }
}

type Sent = { readonly answer: HttpAnswer; readonly credential: Credential | undefined };
type NotSent = { readonly problem: CommandOutcome };

/** The first address that can be connected to gets the request. Rejects only when aborted. */
async function sendToFirst(
  http: HttpExchange,
  request: PreparedRequest,
  ofTarget: Credential | undefined,
  limitBytes: number,
  signal: AbortSignal,
): Promise<Sent | NotSent> {
  const problems: string[] = [];
  for (const url of request.urls) {
    const credential = ofTarget ?? credentialIn(url, request.headers);
    const headers = withCredential(request.headers, credential);
    try {
      const answer = await http.send({ ...request, url, headers }, limitBytes, signal);
      return { answer, credential };
    } catch (error) {
      if (signal.aborted) throw error;
      const problem = `The request to ${endpointOf(url)} failed: ${networkReason(error)}.`;
      if (refusedHere.has(codeOf(error))) return { problem: unusable(problem) };
      problems.push(problem);
      if (!neverConnected(error)) break;
    }
  }
  return { problem: failed(problems.join(' ')) };
}

/** Decided on this side before anything was sent: by the egress policy, by the client's own checks. */
const refusedHere = new Set(['EGRESS_DENIED', 'UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED']);

/** Replaces what the playbook put into the same header. */
function withCredential(headers: HeaderLines, credential: Credential | undefined): HeaderLines {
  if (credential === undefined) return headers;
  return [...withoutHeader(headers, credential.name), [credential.name, credential.value]];
}

/** The user name and password of a URL count where nothing else authenticates. */
function credentialIn(url: URL, headers: HeaderLines): Credential | undefined {
  if (url.username === '' || hasHeader(headers, 'Authorization')) return undefined;
  const reading = basic(unescaped(url.username), unescaped(url.password));
  return reading.ok ? reading.credential : undefined;
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // Not percent-encoded UTF-8: taken literally.
    return text;
  }
}

/** A target that sends the credential back must not get it into the report through an error. */
function hiding(credential: Credential | undefined, outcome: CommandOutcome): CommandOutcome {
  if (outcome.ok || credential === undefined || credential.secret.length < 4) return outcome;
  return { ...outcome, error: outcome.error.replaceAll(credential.secret, '***') };
}
