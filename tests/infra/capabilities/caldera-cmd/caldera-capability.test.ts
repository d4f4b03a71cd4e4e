import { describe, expect, test } from 'vitest';
import { LASTING_ABILITY } from '../../../peers/caldera/caldera-peer.ts';
import { aLink, anInvocation, aPeer, base64, definition, perform } from './a-caldera-command.ts';

describe('an ability the server has', () => {
  test('is run on the group and its output decoded', async () => {
    const peer = await aPeer({ runningPolls: 2 });

    const outcome = await perform(anInvocation(LASTING_ABILITY));

    expect(outcome).toEqual({
      ok: true,
      values: {
        __svc_caldera_cmd_result__: JSON.stringify([
          { paw: 'agent1', status: 0, output: 'root\n', facts: [] },
        ]),
      },
    });
    expect(peer.log).toEqual([
      'POST /adversaries',
      'POST /operations',
      'GET /operations/*',
      'GET /operations/*',
      'GET /operations/*',
      'GET /operations/*/links',
      'DELETE /adversaries/*',
    ]);
    expect([...peer.operations.values()]).toMatchObject([{ name: 'svc-e1', group: 'red' }]);
  });

  test('may be named with a leading id: and is never deleted', async () => {
    const peer = await aPeer();

    const outcome = await perform(anInvocation(`id: ${LASTING_ABILITY}`));

    expect(outcome.ok).toBe(true);
    expect([...peer.abilities.keys()]).toEqual([LASTING_ABILITY]);
    expect(peer.adversaries.size).toBe(0);
  });

  test('that is unknown to the server fails the command with the reason given', async () => {
    await aPeer();

    const outcome = await perform(anInvocation('no-such-ability'));

    expect(outcome).toEqual({
      ok: false,
      status: 'failed',
      error: 'Caldera answered POST /adversaries with HTTP 400: no ability no-such-ability',
    });
  });
});

describe('an ability that is defined by the command', () => {
  test('is created under the name of the execution and deleted afterwards', async () => {
    const peer = await aPeer();

    const outcome = await perform(anInvocation(JSON.stringify(definition)));

    expect(outcome.ok).toBe(true);
    expect(peer.log[0]).toBe('POST /abilities');
    expect(peer.log.slice(-2)).toEqual(['DELETE /adversaries/*', 'DELETE /abilities/*']);
    expect([...peer.abilities.keys()]).toEqual([LASTING_ABILITY]);
  });

  test('may be written in YAML, as those of the server are', async () => {
    const peer = await aPeer();
    const yaml = [
      '- id: 5a39d7ed-45c9-4a79-b581-e5fb99e24f65',
      '  name: List processes',
      '  tactic: discovery',
      '  executors:',
      '    - platform: linux',
      '      name: sh',
      '      command: ps aux',
    ].join('\n');

    const outcome = await perform(anInvocation(yaml));

    expect(outcome.ok).toBe(true);
    expect(peer.log[0]).toBe('POST /abilities');
    expect([...peer.abilities.keys()]).toEqual([LASTING_ABILITY]);
  });

  test('is deleted also when the operation cannot be started', async () => {
    const peer = await aPeer({
      interfere: (line) =>
        line === 'POST /operations' ? { status: 500, body: 'oops' } : undefined,
    });

    const outcome = await perform(anInvocation(JSON.stringify([definition])));

    expect(outcome).toMatchObject({
      ok: false,
      error: 'Caldera answered POST /operations with HTTP 500: oops',
    });
    expect([...peer.abilities.keys()]).toEqual([LASTING_ABILITY]);
    expect(peer.adversaries.size).toBe(0);
  });

  test.each([
    [
      '{"name": ',
      'The command is neither an ability id nor an ability definition in YAML or JSON.',
    ],
    ['{"name": "x"}', 'The ability definition has no executors.'],
    ['[1, 2]', 'The command is neither an ability id nor one ability definition.'],
    ['- id: x\n  name: y', 'The ability definition has no executors.'],
    ['', 'The command is empty.'],
  ])('is refused when it is unusable: %j', async (text, error) => {
    expect(await perform(anInvocation(text), { port: 1 })).toEqual({
      ok: false,
      status: 'client_side_error',
      error,
    });
  });
});

describe('the results of an operation', () => {
  test('hold every fact under its own name and under that of its agent', async () => {
    await aPeer({
      links: [
        { ...aLink, facts: [{ name: 'should.execute.true', value: 'yes' }] },
        { ...aLink, paw: 'agent2', facts: [{ trait: 'should.execute.true', value: 7 }] },
      ],
    });

    const outcome = await perform(anInvocation(LASTING_ABILITY));

    expect(outcome.values).toMatchObject({
      '__should.execute.true__': '7',
      '__agent1-should.execute.true__': 'yes',
      '__agent2-should.execute.true__': '7',
    });
  });

  test.each([
    ['base64 in the link', aLink, {}],
    ['text in the link', { ...aLink, output: 'root\n' }, {}],
    ['base64 under the result', { ...aLink, output: 'True' }, { l1: base64('root\n') }],
    ['text under the result', { ...aLink, output: 'True' }, { l1: 'root\n' }],
    [
      'streams in JSON under the result',
      { ...aLink, output: 'True' },
      { l1: base64('{"stdout": "root\\n", "stderr": "", "exit_code": "0"}') },
    ],
  ])('come as %s', async (_, link, results) => {
    await aPeer({ links: [link], results });

    const outcome = await perform(anInvocation(LASTING_ABILITY));

    const told = JSON.parse(outcome.values?.['__svc_caldera_cmd_result__'] ?? '');
    expect(told).toMatchObject([{ output: 'root\n' }]);
  });

  test('may lack the output on servers that do not keep it', async () => {
    await aPeer({ links: [{ ...aLink, output: 'True' }] });

    const outcome = await perform(anInvocation(LASTING_ABILITY));

    expect(outcome).toMatchObject({ ok: true });
  });
});

describe('an operation that does not go well', () => {
  test.each([
    [1, 'agent agent1 ended with an error'],
    [124, 'agent agent1 ran out of time'],
    [-2, 'agent agent1 was not run (status -2)'],
  ])('with a link of status %d fails and still hands out the results', async (status, sentence) => {
    await aPeer({ links: [{ ...aLink, status }] });

    const outcome = await perform(anInvocation(LASTING_ABILITY));

    expect(outcome).toMatchObject({
      ok: false,
      status: 'failed',
      error: `The operation had errors: ${sentence}.`,
    });
    expect(outcome.values?.['__svc_caldera_cmd_result__']).toContain('root');
  });

  test('because no agent is in the group fails', async () => {
    await aPeer({ links: [] });

    const outcome = await perform(anInvocation(LASTING_ABILITY));

    expect(outcome).toMatchObject({ ok: false, error: 'No agent of group red ran the ability.' });
  });

  test('because it ran out of time fails', async () => {
    await aPeer({ endState: 'out_of_time' });

    const outcome = await perform(anInvocation(LASTING_ABILITY));

    expect(outcome).toMatchObject({ ok: false, error: 'The operation ended as out_of_time.' });
  });

  test('is not given up for a few lost polls', async () => {
    await aPeer({
      interfere: (line, count) =>
        line === 'GET /operations/*' && count < 4 ? { status: 503 } : undefined,
    });

    expect(await perform(anInvocation(LASTING_ABILITY))).toMatchObject({ ok: true });
  });

  test('is given up and told to finish when the server keeps failing', async () => {
    const peer = await aPeer({
      interfere: (line) =>
        line === 'GET /operations/*' ? { status: 503, body: 'busy' } : undefined,
    });

    const outcome = await perform(anInvocation(LASTING_ABILITY));

    expect(outcome).toMatchObject({ ok: false, status: 'failed' });
    expect([...peer.operations.values()]).toMatchObject([{ state: 'finished' }]);
  });
});

describe('a command that is stopped', () => {
  async function stopWhileRunning(reason?: unknown) {
    const stop = new AbortController();
    const peer = await aPeer({ runningPolls: 1_000 });
    const sleep = async () => {
      stop.abort(reason);
      throw stop.signal.reason;
    };
    const invocation = anInvocation(JSON.stringify(definition), { signal: stop.signal });
    const outcome = await perform(invocation, { sleep });
    return { peer, outcome };
  }

  test('by the deadline of its step finishes the operation and leaves nothing behind', async () => {
    const { peer, outcome } = await stopWhileRunning(
      new DOMException('time is up', 'TimeoutError'),
    );

    expect(outcome).toEqual({
      ok: false,
      status: 'timeout_error',
      error: 'The operation was stopped: the time of the step is up.',
    });
    expect(peer.log.slice(-3)).toEqual([
      'PATCH /operations/*',
      'DELETE /adversaries/*',
      'DELETE /abilities/*',
    ]);
    expect([...peer.operations.values()]).toMatchObject([{ state: 'finished' }]);
  });

  test('by the operator is reported as cancelled', async () => {
    const { outcome } = await stopWhileRunning();

    expect(outcome).toMatchObject({
      status: 'failed',
      error: 'The operation was stopped: the execution was cancelled.',
    });
  });

  test('while a request is on its way is stopped at once', async () => {
    const stop = new AbortController();
    await aPeer({
      runningPolls: 1_000,
      onRequest: (line) => line.startsWith('GET') && stop.abort(),
    });

    const outcome = await perform(anInvocation(LASTING_ABILITY, { signal: stop.signal }));

    expect(outcome).toMatchObject({ ok: false, status: 'failed' });
  });
});
