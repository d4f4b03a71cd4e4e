/**
 * Carries the identity library's requests over our own client, so that the same certificate checks, egress
 * policy and limits hold, and remembers why a request failed: the library keeps only a code.
 */

import type { INetworkModule, NetworkRequestOptions, NetworkResponse } from '@azure/msal-node';
import { createHttpExchange, type HttpRequest } from '../http-api/http-exchange.ts';
import { endpointOf, networkReason } from '../http-api/network-failure.ts';

export type MsalNetworkOptions = Parameters<typeof createHttpExchange>[0] & {
  readonly requestTimeoutMs: number;
};

export interface MsalNetwork extends INetworkModule {
  /** The last failure, in words fit for a report; undefined once it has been asked for. */
  takeProblem(): string | undefined;
}

const MAX_ANSWER_BYTES = 1_048_576;
const SHOWN_CHARACTERS = 500;

export function createMsalNetwork(options: MsalNetworkOptions): MsalNetwork {
  let problem: string | undefined;

  async function send<T>(
    method: string,
    address: string,
    { headers = {}, body }: NetworkRequestOptions = {},
  ): Promise<NetworkResponse<T>> {
    const url = new URL(address);
    const http = createHttpExchange(options);
    const request: HttpRequest = {
      url,
      method,
      headers: Object.entries(headers),
      ...(body === undefined ? {} : { body: Buffer.from(body) }),
    };
    try {
      const patience = AbortSignal.timeout(options.requestTimeoutMs);
      const answer = await http.send(request, MAX_ANSWER_BYTES, patience);
      const text = answer.body.bytes.toString('utf8');
      if (answer.status >= 400) problem = `${endpointOf(url)} refused: ${refusalIn(text)}`;
      return {
        status: answer.status,
        headers: textHeaders(answer.headers),
        body: JSON.parse(text),
      };
    } catch (error) {
      problem ??= `${endpointOf(url)} cannot be used: ${reasonOf(error)}`;
      throw error;
    } finally {
      await http.close();
    }
  }

  return {
    sendGetRequestAsync: (url, request) => send('GET', url, request),
    sendPostRequestAsync: (url, request) => send('POST', url, request),
    takeProblem() {
      const taken = problem;
      problem = undefined;
      return taken;
    },
  };
}

/** RFC 6749, section 5.2: error and error_description; anything else is shown as it came. */
function refusalIn(text: string): string {
  let shown = text;
  try {
    const body: unknown = JSON.parse(text);
    if (typeof body === 'object' && body !== null && 'error' in body) {
      const description = 'error_description' in body ? body.error_description : '';
      shown = [body.error, description].filter((part) => typeof part === 'string').join(' ');
    }
  } catch {
    // Not JSON: the text itself is the best there is.
  }
  return shown.replace(/\s+/g, ' ').trim().slice(0, SHOWN_CHARACTERS);
}

function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'the answer is not JSON';
  if (error instanceof Error && error.name === 'TimeoutError') return 'it did not answer in time';
  return networkReason(error);
}

function textHeaders(headers: NodeJS.Dict<string | string[]>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value ?? ''].flat().join(', ')]),
  );
}
