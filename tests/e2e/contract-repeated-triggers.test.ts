/** Idempotency-Key from outside: whatever a repeated trigger meets, it answers the first execution. */

import { afterAll, beforeAll, expect, test } from 'vitest';
import { aPlaybook, end, start } from '../support/a-playbook.ts';
import { type Client, clientOf } from '../support/client.ts';
import { type Service, startService } from '../support/service.ts';

let service: Service;
let ask: Client;

beforeAll(async () => {
  service = await startService();
  ask = clientOf(service.url);
});
afterAll(() => service.dispose());

const ROUNDS = 20;
const AT_ONCE = 10;

test('many triggers with one key at once answer one execution, also while it is just ending', async () => {
  const playbook = aPlaybook('at once', { start: start('end'), end });
  await ask('POST', '/playbook', { body: playbook });

  for (let round = 0; round < ROUNDS; round += 1) {
    const headers = { 'idempotency-key': `round ${round}` };
    const answers = await Promise.all(
      Array.from({ length: AT_ONCE }, () =>
        ask('POST', `/trigger/playbook/${playbook['id']}`, { headers }),
      ),
    );

    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(new Set(answers.map(({ json }) => json['execution-id'])).size).toBe(1);
  }
});

test('no body, an empty object and null are the same request', async () => {
  const playbook = aPlaybook('same', { start: start('end'), end });
  await ask('POST', '/playbook', { body: playbook });
  const headers = { 'idempotency-key': 'same' };

  const answers = [];
  for (const body of [undefined, '{}', 'null']) {
    const asked = { headers, ...(body === undefined ? {} : { body }) };
    answers.push(await ask('POST', `/trigger/playbook/${playbook['id']}`, asked));
  }

  expect(new Set(answers.map(({ json }) => json['execution-id'])).size).toBe(1);
});
