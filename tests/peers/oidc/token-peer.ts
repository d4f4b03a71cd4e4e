/**
 * An identity provider on the loopback that signs whatever it is asked to: an OpenID issuer and a
 * directory with tenants at once. Its keys can be rotated, and it can be made to fail.
 */

import {
  type CryptoKey,
  exportJWK,
  generateKeyPair,
  type JWK,
  type JWTPayload,
  SignJWT,
} from 'jose';
import type { JsonObject } from '../../../core/json.ts';
import { startHttpPeer } from '../http/http-peer.ts';

export type SignOptions = {
  /** Header of the token; the peer's algorithm and key id unless said otherwise. */
  readonly header?: JsonObject;
  /** Signs with this instead of the peer's key. */
  readonly key?: CryptoKey | Uint8Array;
};

export type TokenPeer = {
  /** The issuer of the group mode, and the login address of the directory. */
  readonly url: string;
  /** Paths that were asked for, in order. */
  readonly asked: readonly string[];
  /** Sign with the present key; the claims are taken as they are. */
  readonly sign: (claims: JsonObject, options?: SignOptions) => Promise<string>;
  readonly publicKey: () => JWK;
  /** From now on there is another key, and the former is gone. */
  readonly rotate: () => Promise<void>;
  /** Changes what is answered; undefined brings the right answers back. */
  readonly answerWith: (answer: PeerAnswer | undefined) => void;
  readonly close: () => Promise<void>;
};

export type PeerAnswer = {
  readonly status?: number;
  readonly body?: unknown;
  /** Of the discovery document. */
  readonly discovery?: JsonObject;
};

type Key = { readonly privateKey: CryptoKey; readonly publicKey: JWK };

export async function startTokenPeer(): Promise<TokenPeer> {
  let keys = 0;
  const makeKey = async (): Promise<Key> => {
    const pair = await generateKeyPair('RS256');
    keys += 1;
    const kid = `key-${keys}`;
    const publicKey = { ...(await exportJWK(pair.publicKey)), kid, use: 'sig', alg: 'RS256' };
    return { privateKey: pair.privateKey, publicKey };
  };
  let key = await makeKey();
  let forced: PeerAnswer | undefined;
  const asked: string[] = [];
  const peer = await startHttpPeer(({ url }) => {
    asked.push(url);
    if (forced?.status !== undefined) return { status: forced.status };
    return { body: JSON.stringify(forced?.body ?? documentAt(url)) };
  });
  const base = `http://127.0.0.1:${peer.port}`;

  function documentAt(path: string): unknown {
    if (!path.endsWith('/.well-known/openid-configuration')) return { keys: [key.publicKey] };
    return { issuer: base, jwks_uri: `${base}/jwks`, ...forced?.discovery };
  }

  return {
    url: base,
    asked,
    sign: (claims, { header = {}, key: other } = {}) =>
      new SignJWT(claims as JWTPayload)
        .setProtectedHeader({ alg: 'RS256', typ: 'JWT', kid: key.publicKey.kid ?? '', ...header })
        .sign(other ?? key.privateKey),
    publicKey: () => key.publicKey,
    async rotate() {
      key = await makeKey();
    },
    answerWith(answer) {
      forced = answer;
    },
    close: peer.close,
  };
}

/** Seconds since the epoch, as tokens tell time. */
export const inSeconds = (fromNow: number): number => Math.floor(Date.now() / 1000) + fromNow;
