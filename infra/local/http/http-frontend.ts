/**
 * What happens to a request on the public port: find its function, check its key and size, hand it
 * over. Requests that come before the app is ready wait for it.
 */

import type { IncomingMessage, ServerResponse } from 'node:http';
import { messageOf } from '../message-of.ts';
import type { AccessKeys } from './access-keys.ts';
import { serveBuffered } from './buffered-exchange.ts';
import { answerError, type HostRefusal } from './error-answer.ts';
import type { Exchange, ExchangeParts } from './exchange.ts';
import { OpenAnswers } from './open-answers.ts';
import { type ListenOptions, listenPublicly, type PublicListener } from './public-listener.ts';
import { announcesTooMuch, refuseLargeBody } from './request-body.ts';
import { splitPath } from './request-path.ts';
import { requestUrl } from './request-target.ts';
import type { Router } from './router.ts';
import { serveStreaming } from './streaming-exchange.ts';
import type { TlsMaterial } from './tls-files.ts';

/** What can be known only after the app has loaded. */
export type ServedApp = {
  readonly router: Router;
  readonly keys: AccessKeys;
  readonly parts: ExchangeParts;
  readonly streamPort: number | undefined;
  /** Error answers repeat the method and path. */
  readonly showCalls: boolean;
  /** Takes requests that are for the host itself; answers false for all others. */
  readonly serveOwn: (request: IncomingMessage, response: ServerResponse, url: URL) => boolean;
};

export class HttpFrontend {
  readonly #open = new OpenAnswers();
  readonly #ready = Promise.withResolvers<ServedApp>();
  readonly #scheme: 'http' | 'https';
  #app: ServedApp | undefined;
  #listener: PublicListener | undefined;
  #port = 0;
  #stopping = false;

  constructor(scheme: 'http' | 'https') {
    this.#scheme = scheme;
  }

  /** Answers the port. Requests are accepted from here on and answered once `open` was called. */
  async listen(options: ListenOptions): Promise<number> {
    const listener = await listenPublicly(options, (request, response) => {
      this.#open.add(response);
      if (this.#stopping) response.shouldKeepAlive = false;
      void this.#handle(request, response);
    });
    this.#listener = listener;
    this.#port = listener.port;
    return listener.port;
  }

  /** New connections get this certificate. */
  renew(material: TlsMaterial): void {
    this.#listener?.renew(material);
  }

  open(app: ServedApp): void {
    this.#app = app;
    this.#ready.resolve(app);
  }

  /** Accepts nothing new, lets open requests be answered up to the deadline, then cuts them off. */
  async stop(deadlineMs: number): Promise<void> {
    this.#stopping = true;
    this.#listener?.server.close();
    this.#listener?.server.closeIdleConnections();
    await this.#open.settle(deadlineMs);
    this.#listener?.server.closeAllConnections();
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const app = this.#app ?? (await this.#ready.promise);
    const url = requestUrl(request, this.#scheme, this.#port);
    const path = url?.pathname ?? request.url ?? '';
    const call = app.showCalls ? `${request.method} ${path}` : undefined;
    try {
      if (url === undefined) answerError(response, undecodable, call);
      else if (!app.serveOwn(request, response, url)) {
        await this.#serve(app, { request, response, url, call });
      }
    } catch (thrown) {
      app.parts.log.error('http.failed', { call, message: messageOf(thrown) });
      answerError(response, { status: 500, message: 'The host failed.' }, call);
    }
  }

  async #serve(
    app: ServedApp,
    incoming: Pick<Exchange, 'request' | 'response' | 'url' | 'call'>,
  ): Promise<void> {
    const { request, response, url, call } = incoming;
    const match = app.router.match(request.method ?? 'GET', splitPath(url.pathname));
    if (match === undefined) {
      answerError(response, nothingAt(url), call);
      return;
    }
    const { route, values } = match;
    if (!app.keys.opens(route.authLevel, keyOf(request, url))) {
      answerError(response, { status: 401, message: 'The request needs a valid key.' }, call);
      return;
    }
    const limit = app.parts.maxBodyBytes;
    if (announcesTooMuch(request, limit)) {
      refuseLargeBody(request, response, limit, call);
      return;
    }
    if (request.headers.expect !== undefined) response.writeContinue();
    const exchange: Exchange = { ...incoming, fn: route.fn, values };
    if (app.streamPort === undefined) await serveBuffered(exchange, app.parts);
    else await serveStreaming(exchange, app.parts, app.streamPort);
  }
}

const undecodable: HostRefusal = {
  status: 400,
  message: 'The address of the request cannot be decoded.',
};

function nothingAt(url: URL): HostRefusal {
  return { status: 404, message: `There is nothing at ${url.pathname}.` };
}

function keyOf(request: IncomingMessage, url: URL): string | undefined {
  const header = request.headers['x-functions-key'];
  return typeof header === 'string' ? header : (url.searchParams.get('code') ?? undefined);
}
