/** Makes the connections of an exchange: within a time, to allowed addresses only, and given up when told. */

import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type buildConnector, errors } from 'undici';
import { type EgressPolicy, guardedLookup, refusedAddress } from '../addressing/egress.ts';

export type ConnectionOptions = {
  readonly skipCertificateCheck: boolean;
  readonly connectTimeoutMs: number;
  /** Absent: connections may go anywhere. */
  readonly allows?: EgressPolicy;
};

export type Connector = {
  readonly connect: buildConnector.connector;
  /** Ends the attempts under way; the client itself would wait for their end. */
  giveUp(): void;
};

export function createConnector(options: ConnectionOptions): Connector {
  const { allows, connectTimeoutMs } = options;
  const attempts = new Set<Socket>();
  return {
    connect({ hostname, port, protocol }, done) {
      const secure = protocol === 'https:';
      const number = Number(port) || (secure ? 443 : 80);
      const refused = allows && refusedAddress(allows, hostname, number);
      if (refused !== undefined) return done(refused, null);
      const socket = open(hostname, number, secure, options);
      attempts.add(socket);
      const timer = setTimeout(() => socket.destroy(tooSlow()), connectTimeoutMs);
      const settle = () => {
        clearTimeout(timer);
        attempts.delete(socket);
        socket.off('error', onError).off('close', onClose);
      };
      const onError = (error: Error) => {
        settle();
        done(error, null);
      };
      const onClose = () => onError(new errors.SocketError('closed while connecting'));
      socket.on('error', onError).on('close', onClose);
      socket.once(secure ? 'secureConnect' : 'connect', () => {
        settle();
        done(null, socket);
      });
    },
    giveUp() {
      for (const socket of attempts) socket.destroy();
    },
  };
}

function open(host: string, port: number, secure: boolean, options: ConnectionOptions): Socket {
  const { allows, skipCertificateCheck } = options;
  const lookup = allows === undefined ? {} : { lookup: guardedLookup(allows, port) };
  const settings = { host, port, noDelay: true, keepAlive: true, ...lookup };
  if (!secure) return connectTcp(settings);
  // Server names are names (RFC 6066, section 3); certificates for addresses are checked against the host.
  const servername = isIP(host) === 0 ? { servername: host } : {};
  return connectTls({
    ...settings,
    ...servername,
    rejectUnauthorized: !skipCertificateCheck,
    ALPNProtocols: ['http/1.1'],
  });
}

function tooSlow(): Error {
  return new errors.ConnectTimeoutError('the connection could not be made in time');
}
