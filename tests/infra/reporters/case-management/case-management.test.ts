/** Case management against a strict stand-in for such a system. */

import { afterEach, describe, expect, test } from 'vitest';
import type { Variables } from '../../../../core/cacao/playbook.ts';
import { viewPlaybook } from '../../../../core/cacao/playbook.ts';
import type { ReportingConfig } from '../../../../core/config/config.ts';
import { redactor } from '../../../../core/execution/redaction.ts';
import type { RunEvent } from '../../../../core/ports/reporter.ts';
import { openReporting, type Reporting } from '../../../../infra/reporters/open-reporting.ts';
import {
  CASE_LOGIN,
  CASE_TOKEN,
  type CasePeer,
  type CasePeerOptions,
  startCasePeer,
} from '../../../peers/case-management/case-peer.ts';
import { action, aPlaybook, byPerson, end, start } from '../../../support/a-playbook.ts';
import { aLog } from '../a-log.ts';
import { aRun, aStepRecord, ended, started, stepEnded, stepStarted } from '../an-event.ts';

const peers: CasePeer[] = [];
afterEach(async () => {
  for (const peer of peers.splice(0)) await peer.stop();
});

async function aPeer(options: CasePeerOptions = {}): Promise<CasePeer> {
  const peer = await startCasePeer(options);
  peers.push(peer);
  return peer;
}

const playbook = viewPlaybook(
  aPlaybook(
    'Isolate host',
    {
      start: start('isolate'),
      isolate: action('ask', { description: 'Cut it off with hunter22' }),
      ask: action('end', byPerson),
      end,
    },
    { description: 'What to do', labels: ['edr', 'urgent'] },
  ),
);
const address = { type: 'ipv4-addr', value: '192.0.2.7', description: 'the host' };

type Setting = Partial<NonNullable<ReportingConfig['caseManagement']>> & {
  readonly variables?: Variables;
};

function reportingTo(peer: CasePeer, { variables = {}, ...more }: Setting = {}) {
  const { log, logged } = aLog();
  const slept: number[] = [];
  const reporting = openReporting({
    config: {
      maxReporters: 5,
      caseManagement: {
        baseUrl: peer.url,
        token: CASE_TOKEN,
        skipTlsVerify: false,
        correlate: false,
        assignee: undefined,
        ...more,
      },
      webhook: undefined,
      manualWebhook: undefined,
    },
    allows: () => true,
    lookUp: async () => ({ playbook, variables, redact: redactor(['hunter22']) }),
    render: () => ({}),
    clock: { now: () => 0 },
    ids: { uuid: () => '' },
    log,
    sleep: async (forMs) => void slept.push(forMs),
  });
  return { reporting, logged, slept };
}

async function tell(reporting: Reporting, ...events: readonly RunEvent[]): Promise<void> {
  for (const event of events) reporting.report(event);
  await reporting.close();
}

const isolate = aStepRecord('isolate');
const ask = aStepRecord('ask', { automated: false });
const done = { status: 'successfully_executed' as const };

describe('an execution', () => {
  test('is a case with a task per step, and all that happens is written into it', async () => {
    const peer = await aPeer();
    const { reporting, logged } = reportingTo(peer, { variables: { __ip__: address } });

    await tell(
      reporting,
      started(),
      stepStarted(isolate),
      stepEnded({ ...isolate, ...done, variables: { __result__: { type: 'string', value: '7' } } }),
      ended(),
    );

    const [made, ...others] = peer.cases;
    expect(others).toEqual([]);
    expect(made).toMatchObject({
      title: 'Isolate host',
      description: 'What to do',
      tags: [aRun().executionId, aRun().playbookId, 'edr', 'urgent'],
      status: 'TruePositive',
      summary: 'The playbook Isolate host ended: successfully_executed.',
    });
    expect(made?.tasks.map(({ title, status }) => [title, status])).toEqual([
      ['isolate', 'Completed'],
      ['ask', 'Waiting'],
    ]);
    expect(made?.tasks[0]?.description).toBe(
      `Cut it off with ***\n\nStep: ${isolate.stepId}\n\nExecution: ${aRun().executionId}`,
    );
    expect(made?.tasks[0]?.logs).toEqual([
      expect.stringContaining('Step **isolate** started'),
      expect.stringContaining('"on_completion"'),
      expect.stringContaining('"__result__"'),
      expect.stringContaining('Step **isolate** ended'),
    ]);
    expect(made?.comments).toEqual([
      expect.stringContaining(`Execution \`${aRun().executionId}\``),
      expect.stringContaining('192.0.2.7'),
      expect.stringContaining('192.0.2.7'),
      expect.stringContaining('ended at'),
    ]);
    expect(peer.bodies.join()).not.toContain('hunter22');
    expect(logged).toEqual([]);
  });

  test('that fails leaves a cancelled task and an indeterminate case that say why', async () => {
    const peer = await aPeer();
    const { reporting } = reportingTo(peer);
    const failed = { status: 'failed' as const, errors: ['exit 1'] };

    await tell(
      reporting,
      started(),
      stepStarted(isolate),
      stepEnded({ ...isolate, ...failed }),
      ended(failed),
    );

    const [made] = peer.cases;
    expect(made?.tasks[0]?.status).toBe('Cancel');
    expect(made?.tasks[0]?.logs.at(-1)).toContain('- exit 1');
    expect(made?.status).toBe('Indeterminate');
    expect(made?.summary).toContain('- exit 1');
  });

  test('tells of every start once, also of steps that are told of when they have ended', async () => {
    const peer = await aPeer();
    const { reporting } = reportingTo(peer);

    await tell(
      reporting,
      started(),
      stepStarted(isolate),
      stepStarted(isolate),
      stepEnded({ ...ask, ...done }),
    );

    const logs = peer.cases[0]?.tasks.map((task) => task.logs.length);
    expect(logs).toEqual([2, 4]);
  });

  test('says nothing of steps that are no tasks', async () => {
    const peer = await aPeer();
    const { reporting, logged } = reportingTo(peer);

    await tell(reporting, started(), stepEnded(aStepRecord('start', done)));

    expect(peer.log.filter((line) => line.includes('/task/*'))).toEqual([]);
    expect(logged).toEqual([]);
  });
});

describe('a task', () => {
  test('goes to the owner of the token when a person carries it out', async () => {
    const peer = await aPeer();
    const { reporting } = reportingTo(peer);

    await tell(reporting, started(), stepStarted(isolate), stepStarted(ask));

    expect(peer.cases[0]?.tasks.map(({ assignee }) => assignee)).toEqual([undefined, CASE_LOGIN]);
  });

  test('goes to the configured login when it is automated', async () => {
    const peer = await aPeer();
    const { reporting } = reportingTo(peer, { assignee: 'robot@soc.example' });

    await tell(reporting, started(), stepStarted(isolate));

    expect(peer.cases[0]?.tasks[0]).toMatchObject({
      status: 'InProgress',
      assignee: 'robot@soc.example',
    });
  });
});

describe('the system', () => {
  test('may answer what it made as a list of one', async () => {
    const peer = await aPeer({ answersLists: true });
    const { reporting } = reportingTo(peer);

    await tell(reporting, started(), stepStarted(isolate));

    expect(peer.cases[0]?.tasks[0]?.status).toBe('InProgress');
  });

  test('that refuses one call still gets the others', async () => {
    const peer = await aPeer();
    const { reporting, logged } = reportingTo(peer, { assignee: 'nobody@soc.example' });

    await tell(reporting, started(), stepStarted(isolate), stepEnded({ ...isolate, ...done }));

    expect(logged.map(({ event }) => event)).toEqual(['case-management.refused']);
    expect(String(logged[0]?.fields?.['error'])).toContain('no user nobody@soc.example');
    expect(peer.cases[0]?.tasks[0]).toMatchObject({ status: 'Completed' });
    expect(peer.cases[0]?.tasks[0]?.logs).toHaveLength(4);
  });

  test('in trouble is asked again, and nothing is made twice', async () => {
    const peer = await aPeer({ interfere: (_line, count) => (count === 1 ? 503 : undefined) });
    const { reporting, logged } = reportingTo(peer);

    await tell(reporting, started(), ended());

    expect(peer.cases).toHaveLength(1);
    expect(peer.cases[0]?.tasks).toHaveLength(2);
    expect(peer.cases[0]?.status).toBe('TruePositive');
    expect(logged).toEqual([]);
  });

  test('that refuses the token costs one call per execution, and a line in the log', async () => {
    const peer = await aPeer();
    const { reporting, logged } = reportingTo(peer, { token: 'wrong' });

    await tell(reporting, started(), stepStarted(isolate), stepEnded(isolate), ended());

    expect(peer.log).toEqual(['POST /case']);
    expect(logged.map(({ event, fields }) => [event, fields?.['kind']])).toEqual([
      ['reporter.delivery-failed', 'execution-started'],
    ]);
  });
});

describe('an execution begun in another process', () => {
  test('is found by its id and goes on in its case', async () => {
    const peer = await aPeer();
    await tell(reportingTo(peer).reporting, started());

    await tell(reportingTo(peer).reporting, stepEnded({ ...isolate, ...done }), ended());

    expect(peer.cases).toHaveLength(1);
    expect(peer.cases[0]?.tasks[0]?.status).toBe('Completed');
    expect(peer.cases[0]?.status).toBe('TruePositive');
  });

  test('without a case is searched for a while, once', async () => {
    const peer = await aPeer();
    const { reporting, slept } = reportingTo(peer);

    await tell(reporting, stepStarted(isolate), stepEnded(isolate), ended());

    expect(slept).toEqual([1_000, 2_000, 4_000]);
    expect(peer.log).toEqual(Array(4).fill('POST /query'));
  });
});

describe('correlation', () => {
  const variables = { __ip__: address, __mac__: { type: 'mac-addr', value: '' } };

  test('opens a case that knows the addresses when there is none', async () => {
    const peer = await aPeer();
    const { reporting } = reportingTo(peer, { correlate: true });

    const prepared = await reporting.prepare?.({ playbook, variables });

    expect(peer.cases).toMatchObject([
      {
        title: 'Isolate host',
        observables: [{ dataType: 'ip', data: '192.0.2.7', message: 'the host' }],
      },
    ]);
    expect(prepared).toEqual({
      ...variables,
      __SVC_CASE_ID__: { type: 'string', value: peer.cases[0]?._id, constant: true },
    });
  });

  test('goes on in the case that knows one of them, which keeps its tags', async () => {
    const peer = await aPeer();
    const first = reportingTo(peer, { correlate: true });
    await first.reporting.prepare?.({ playbook, variables });
    const mac = { type: 'mac-addr', value: '00:00:5e:00:53:01' };

    const both = { __mac__: mac, __ip__: address };
    const prepared = await first.reporting.prepare?.({ playbook, variables: both });
    const second = reportingTo(peer, { correlate: true, variables: prepared ?? {} });
    await tell(second.reporting, started(), stepStarted(isolate), ended());

    const [only, ...others] = peer.cases;
    expect(others).toEqual([]);
    expect(only?.observables.map(({ dataType, data }) => [dataType, data])).toEqual([
      ['ip', '192.0.2.7'],
      ['other', '00:00:5e:00:53:01'],
    ]);
    expect(only?.tags).toEqual([
      playbook.id,
      'edr',
      'urgent',
      aRun().executionId,
      aRun().playbookId,
    ]);
    expect(only?.tasks[0]?.status).toBe('InProgress');
    expect(only?.status).toBe('TruePositive');
  });

  test('does not end the case with a playbook that was called', async () => {
    const peer = await aPeer();
    const first = reportingTo(peer, { correlate: true });
    const prepared = (await first.reporting.prepare?.({ playbook, variables })) ?? {};
    const { reporting } = reportingTo(peer, { correlate: true, variables: prepared });
    const parent = { executionId: aRun().executionId, stepId: isolate.stepId };

    await tell(reporting, started(aRun({ parent })), ended({ parent }));

    expect(peer.cases[0]?.comments).toHaveLength(4);
    expect(peer.cases[0]?.status).toBe('New');
  });

  test('opens one case for a trigger that is repeated', async () => {
    const peer = await aPeer();
    const { reporting } = reportingTo(peer, { correlate: true });
    const starting = { playbook, variables: {}, idempotencyKey: 'once' };

    const answers = [await reporting.prepare?.(starting), await reporting.prepare?.(starting)];

    expect(peer.cases).toHaveLength(1);
    expect(answers[0]).toEqual(answers[1]);
  });

  test('that fails lets the execution begin without a case of its own', async () => {
    const peer = await aPeer();
    const { reporting, logged } = reportingTo(peer, { correlate: true, token: 'wrong' });

    const prepared = await reporting.prepare?.({ playbook, variables });

    expect(prepared).toEqual(variables);
    expect(logged.map(({ event }) => event)).toEqual(['case-management.uncorrelated']);
  });

  test('is absent unless it was asked for', async () => {
    const peer = await aPeer();

    expect(reportingTo(peer).reporting.prepare).toBeUndefined();
  });
});
