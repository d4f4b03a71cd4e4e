/** Reads the certificate and key of the public port. */

import { readFileSync } from 'node:fs';
import { createSecureContext } from 'node:tls';
import { messageOf } from '../message-of.ts';
import { StartError } from '../start-error.ts';

export type TlsFiles = { readonly certFile: string; readonly keyFile: string };
export type TlsMaterial = { readonly cert: Buffer; readonly key: Buffer };

/** Throws a StartError that names the file and its setting. */
export function readTlsFiles({ certFile, keyFile }: TlsFiles): TlsMaterial {
  const cert = read(certFile, 'certificate', 'CERT_FILE');
  const key = read(keyFile, 'key', 'CERT_KEY_FILE');
  try {
    createSecureContext({ cert, key });
  } catch (cause) {
    throw new StartError(
      `The certificate ${certFile} and the key ${keyFile} cannot be used: ${messageOf(cause)}`,
      { cause },
    );
  }
  return { cert, key };
}

function read(path: string, what: string, setting: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new StartError(`The TLS ${what} file ${path} (${setting}) cannot be read.`, { cause });
  }
}
