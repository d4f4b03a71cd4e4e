import { expect, test } from 'vitest';
import { readConfig } from '../../../core/config/read-config.ts';
import { openReporting } from '../../../infra/reporters/open-reporting.ts';
import { aLog } from './a-log.ts';
import { started } from './an-event.ts';

const both = {
  CASEMGR_ACTIVATE: 'true',
  CASEMGR_API_TOKEN: 'token',
  CASEMGR_API_BASE_URL: 'http://127.0.0.1:9',
  CASEMGR_REPORTER: 'true',
  REPORT_WEBHOOK_URL: 'http://127.0.0.1:9',
};

function opened(environment: Record<string, string>) {
  const { log, logged } = aLog();
  const reporting = openReporting({
    config: readConfig(environment).reporting,
    allows: () => true,
    lookUp: async () => undefined,
    render: () => ({}),
    clock: { now: () => 0 },
    ids: { uuid: () => '' },
    log,
    sleep: async () => {},
  });
  return { reporting, logged };
}

test('the cache and the store are always there, the others in their order', () => {
  expect(opened({}).reporting.names).toEqual(['cache', 'store']);
  expect(opened(both).reporting.names).toEqual(['cache', 'store', 'case-management', 'webhook']);
});

test.each([
  ['1', ['cache', 'store', 'case-management'], ['webhook']],
  ['0', ['cache', 'store'], ['case-management', 'webhook']],
])('MAX_REPORTERS=%s drops the surplus with a warning', (MAX_REPORTERS, names, dropped) => {
  const { reporting, logged } = opened({ ...both, MAX_REPORTERS });

  expect(reporting.names).toEqual(names);
  expect(logged.map(({ event, fields }) => [event, fields?.['reporter']])).toEqual(
    dropped.map((reporter) => ['reporter.surplus', reporter]),
  );
  expect(reporting.prepare === undefined).toBe(dropped.includes('case-management'));
});

test('a dropped reporter is told nothing', async () => {
  const { reporting, logged } = opened({ ...both, MAX_REPORTERS: '0' });
  logged.length = 0;

  reporting.report(started());
  await reporting.close();

  expect(logged).toEqual([]);
});
