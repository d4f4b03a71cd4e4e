import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { variableTypes } from '../../../core/cacao/schema/variable.ts';
import { PythonFin, type PythonLine, skipPythonFin } from '../../peers/fin/start-python-fin.ts';
import {
  type Mosquitto,
  skipMosquitto,
  startMosquitto,
} from '../../peers/mosquitto/start-mosquitto.ts';
import {
  aConnectedGateway,
  eventually,
  perform,
  type TestGateway,
} from '../../support/a-gateway.ts';

const skip = skipMosquitto || skipPythonFin;

let broker: Mosquitto;
let fin: PythonFin;

beforeAll(async () => {
  if (skip) return;
  broker = await startMosquitto();
});
afterAll(async () => {
  await fin?.stop();
  await broker?.stop();
});

async function aServiceWithPythonFin(): Promise<TestGateway> {
  const gateway = await aConnectedGateway({ port: broker.port, timing: { ackMs: 5_000 } });
  fin = new PythonFin(broker.port, 'svc', 'fin-py', 'cap-py');
  await eventually(async () => (await gateway.status()).length === 1, 15_000);
  return gateway;
}

/** What the model holds is what was sent: nothing was refused, converted or made up. */
function expectExact({ raw, model, error }: PythonLine): void {
  expect(error).toBeUndefined();
  const sent = JSON.parse(raw);
  // The target is beyond the protocol, and passed over by the model.
  delete sent.command?.target;
  expect(model).toMatchObject(sent);
}

describe.skipIf(skip)('a fin made of the Python client and models', () => {
  test('understands to the letter all the service says, and is understood', async () => {
    const gateway = await aServiceWithPythonFin();
    const values = Object.fromEntries(
      variableTypes.map((type, n) => [`__v${n}__`, `${type} ä"\\`]),
    );
    const variables = Object.fromEntries(
      Object.entries(values).map(([name, value], n) => [
        name,
        { type: variableTypes[n] ?? '', value, ...(n === 0 ? { constant: true } : {}) },
      ]),
    );

    const plain = await perform(gateway, { agent: 'agent of fin-py', variables });
    const target = { type: 'net-address', name: 'host', address: { ipv4: ['192.0.2.1'] } };
    const withAll = await perform(gateway, {
      agent: 'agent of fin-py',
      target,
      authentication: { type: 'http-basic', user_id: 'u', password: 'p' },
    });
    void gateway.order('fin-py', 'pause');
    await fin.hears('pause');
    await gateway.purge('fin-py');
    await fin.hears('unregister');

    expect(plain).toEqual({ ok: true, values, executedBy: 'fin-py' });
    expect(withAll).toMatchObject({ ok: true });
    const [ack] = fin.lines;
    expect(ack?.raw).toMatch(/^\{"type":"ack","message_id":"[0-9a-f-]{36}"\}$/);
    const types = new Set(fin.lines.map(({ raw }) => JSON.parse(raw).type));
    expect([...types].sort()).toEqual(['ack', 'command', 'pause', 'unregister']);
    for (const line of fin.lines) expectExact(line);
    // The answers to results came before what was said later on the same connection.
    const acks = fin.lines.filter(({ topic, raw }) => topic === 'cap-py' && raw.includes('"ack"'));
    expect(acks).toHaveLength(2);
    expect(gateway.securityEvents).toEqual(['fin_registered', 'fin_purged']);
  }, 40_000);
});
