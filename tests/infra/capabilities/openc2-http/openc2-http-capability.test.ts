/** The machinery is tested with http-api; here only what differs. */

import { afterEach, expect, test } from 'vitest';
import type { Invocation } from '../../../../core/ports/capability.ts';
import { createOpenC2HttpCapability } from '../../../../infra/capabilities/openc2-http/openc2-http-capability.ts';
import {
  type Answer,
  type HttpPeer,
  startHttpPeer,
  valuesOf,
} from '../../../peers/http/http-peer.ts';
import { anInvocation, aTarget, inSession } from '../http-api/an-invocation.ts';

const peers: HttpPeer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.close();
});

const openC2Command = '{"action":"deny","target":{"ipv4_net":"192.0.2.1"}}';

async function sent(answer: Answer, parts: Partial<Invocation> = {}) {
  const peer = await startHttpPeer(() => answer);
  peers.push(peer);
  const capability = createOpenC2HttpCapability({ skipCertificateCheck: false });
  const outcome = await inSession(capability, (session) =>
    session.perform(
      anInvocation(aTarget(peer.port), 'POST /openc2-api/ HTTP/1.1', {
        content: openC2Command,
        ...parts,
      }),
    ),
  );
  return { outcome, seen: peer.requests[0] };
}

test('an OpenC2 command is posted as OpenC2 JSON and its answer becomes the result', async () => {
  const { outcome, seen } = await sent({ body: '{"status":200}' });

  expect(outcome).toEqual({ ok: true, values: { __svc_openc2_http_result__: '{"status":200}' } });
  expect(seen).toMatchObject({ method: 'POST', url: '/openc2-api/' });
  expect(seen?.body.toString()).toBe(openC2Command);
  expect(valuesOf(seen, 'content-type')).toEqual(['application/openc2+json;version=1.0']);
});

test('a content type of the playbook is kept', async () => {
  const headers = { 'content-type': ['application/openc2-cmd+json;version=1.0'] };

  const { seen } = await sent({}, { command: { type: 'openc2-http', headers } });

  expect(valuesOf(seen, 'content-type')).toEqual(['application/openc2-cmd+json;version=1.0']);
});

test('an answer outside 200 to 299 is a failure', async () => {
  const { outcome } = await sent({ status: 501, body: '{"status":501}' });

  expect(outcome).toEqual({ ok: false, status: 'failed', error: 'HTTP 501 {"status":501}' });
});

test('the status is returned to steps that ask for it', async () => {
  const { outcome } = await sent({ status: 202 }, { outArgs: ['__svc_openc2_http_status__'] });

  expect(outcome.values).toEqual({
    __svc_openc2_http_result__: '',
    __svc_openc2_http_status__: '202',
  });
});
