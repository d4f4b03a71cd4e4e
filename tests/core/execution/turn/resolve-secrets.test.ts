/** Secrets by reference: looked up when a step is performed, and neither stored nor shown. */

import { expect, test } from 'vitest';
import { mainWalk } from '../../../../core/execution/ids.ts';
import type { JsonObject } from '../../../../core/json.ts';
import type { Invocation } from '../../../../core/ports/capability.ts';
import type { SecretVault } from '../../../../core/ports/secret-vault.ts';
import { aBench, type Performer } from '../../../support/a-bench.ts';
import { action, aPlaybook, end, start, targetIds } from '../../../support/a-playbook.ts';
import { run } from '../../../support/run-playbook.ts';

const authId = 'user-auth--55555555-5555-4555-8555-555555555555';
const secret = 'kept "elsewhere" 42';

const peek = (reference: string) => (reference === 'env:SECRET_ROOT' ? secret : undefined);

const vault: SecretVault = {
  peek,
  resolve: async (reference) =>
    reference === 'env:SECRET_ROOT'
      ? { ok: true, value: secret }
      : { ok: false, status: 'client_side_error', error: `There is no secret ${reference}.` },
};

function aPlaybookWith(login: JsonObject, more: JsonObject = {}): JsonObject {
  const address = { url: ['http://127.0.0.1:9/'] };
  return aPlaybook(
    'p',
    { start: start('a'), a: action('b'), b: action('end'), end },
    {
      authentication_info_definitions: {
        [authId]: { type: 'user-auth', username: 'root', ...login },
      },
      target_definitions: {
        [targetIds.box]: { type: 'http-api', name: 'box', address, authentication_info: authId },
      },
      ...more,
    },
  );
}

/** Keeps what it is given and sends it back in every spelling a target may use. */
function echo(seen: Invocation[]): Performer {
  return (invocation) => {
    seen.push(invocation);
    const password = invocation.authentication?.password ?? '';
    const spelt = [password, JSON.stringify(password), encodeURIComponent(password)];
    return { ok: true, values: { __echo__: `you said ${spelt.join()} ${btoa(password)}` } };
  };
}

test('the capability gets the secret, everybody else nothing', async () => {
  const seen: Invocation[] = [];
  const bench = aBench(echo(seen), { vault });

  const { report, status } = await run(bench, aPlaybookWith({ password: 'env:SECRET_ROOT' }));

  expect(status).toBe('successfully_executed');
  expect(seen.map(({ authentication }) => authentication?.password)).toEqual([secret, secret]);
  const { executionId } = report.run;
  const stored = [
    report,
    bench.events,
    await bench.stores.journal.open(executionId, mainWalk),
    await bench.stores.runs.snapshot(executionId),
    await bench.stores.journal.steps(executionId),
  ].map((part) => JSON.stringify(part));
  for (const text of stored) {
    expect(text).not.toContain('elsewhere');
    expect(text).not.toContain(encodeURIComponent(secret));
    expect(text).not.toContain(btoa(secret).replace(/=+$/, ''));
  }
  expect(stored[0]).toContain('you said ***,\\"***\\",*** ***');
});

test('a target that knows the secret from elsewhere does not get it into the report either', async () => {
  const bench = aBench(() => ({ ok: true, values: { __file__: `root:${secret}` } }), { vault });
  const box = { type: 'http-api', name: 'box', address: { url: ['http://127.0.0.1:9/'] } };

  const { report } = await run(
    bench,
    aPlaybookWith(
      { password: 'env:SECRET_ROOT' },
      { target_definitions: { [targetIds.box]: box } },
    ),
  );

  expect(report.steps[0]?.latest.variables['__file__']?.value).toBe('root:***');
});

test('an error that repeats the secret is shown without it', async () => {
  const bench = aBench(
    ({ authentication }) => ({
      ok: false,
      status: 'failed',
      error: `Login with ${authentication?.password} refused.`,
    }),
    { vault },
  );

  const { report } = await run(bench, aPlaybookWith({ password: 'env:SECRET_ROOT' }));

  expect(report.steps[0]?.latest.errors).toEqual(['Login with *** refused.']);
});

test('a secret that cannot be had fails the step before anything is sent', async () => {
  const bench = aBench(undefined, { vault });

  const { report } = await run(bench, aPlaybookWith({ password: 'env:SECRET_OTHER' }));

  expect(bench.performed).toEqual([]);
  expect(report.steps[0]?.latest).toMatchObject({
    status: 'client_side_error',
    errors: ['There is no secret env:SECRET_OTHER.'],
  });
});

test('a service without a vault refuses references', async () => {
  const bench = aBench();

  const { report } = await run(bench, aPlaybookWith({ password: 'env:SECRET_ROOT' }));

  expect(report.steps[0]?.latest.errors).toEqual(['This service looks up no secrets.']);
});

test('a reference that came into a variable is a text like any other', async () => {
  const seen: Invocation[] = [];
  const bench = aBench(echo(seen), { vault });
  const variables = { __password__: { type: 'string', value: 'env:SECRET_ROOT' } };

  await run(
    bench,
    aPlaybookWith({ password: '__password__:value' }, { playbook_variables: variables }),
  );

  expect(seen[0]?.authentication?.password).toBe('env:SECRET_ROOT');
});

test('a cancelled or late look-up ends the step like any other work', async () => {
  const silent: SecretVault = {
    peek,
    resolve: (_reference, signal) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason));
      }),
  };
  const cancelled = AbortSignal.abort(new Error('cancelled'));
  const stopping: SecretVault = {
    peek,
    resolve: async (_reference, signal) => {
      signal.throwIfAborted();
      return { ok: true, value: secret };
    },
  };
  const late = aBench(undefined, { vault: silent, limits: { stepTimeoutMs: 20 } });
  const ended = aBench(undefined, {
    vault: stopping,
    cancellations: { watch: () => ({ signal: cancelled, stop: () => {} }) },
  });

  const { report } = await run(late, aPlaybookWith({ password: 'env:SECRET_ROOT' }));
  const other = await run(ended, aPlaybookWith({ password: 'env:SECRET_ROOT' }));

  expect(report.steps[0]?.latest.status).toBe('timeout_error');
  expect(other.report.steps[0]?.latest.status).toBe('failed');
});
