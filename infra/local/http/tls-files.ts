/** Reads the certificate and key of the public port, again when they are renewed. */

import { readFileSync, unwatchFile, watchFile } from 'node:fs';
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

/** How soon a renewed certificate is taken up. */
const LOOK_MS = 2_000;

/**
 * Hands over certificate and key when their files have changed. What cannot be used, half a renewal for
 * example, is left alone until the next change. Answers how to stop.
 */
export function watchTlsFiles(
  files: TlsFiles,
  onChange: (renewed: TlsMaterial) => void,
  onProblem: (problem: unknown) => void,
): () => void {
  const look = () => {
    try {
      onChange(readTlsFiles(files));
    } catch (problem) {
      onProblem(problem);
    }
  };
  const paths = [files.certFile, files.keyFile];
  // Polled: renewals often replace files, or links to them, in ways watchers do not see.
  for (const path of paths) watchFile(path, { interval: LOOK_MS, persistent: false }, look);
  return () => {
    for (const path of paths) unwatchFile(path, look);
  };
}

function read(path: string, what: string, setting: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw new StartError(`The TLS ${what} file ${path} (${setting}) cannot be read.`, { cause });
  }
}
