import { expect, test } from 'vitest';
import type { JsonValue } from '../../../core/json.ts';
import { ProviderDocument } from '../../../infra/identity/provider-document.ts';
import { recordingLog } from '../../support/recording-log.ts';

const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

function aDocument() {
  let nowMs = 0;
  let fetches = 0;
  let answer: () => Promise<JsonValue> = async () => `version ${fetches}`;
  const { log, lines } = recordingLog();
  const document = new ProviderDocument<JsonValue>({
    url: 'https://idp.example/keys',
    fetchJson: () => {
      fetches += 1;
      return answer();
    },
    read: (json) => json,
    clock: { now: () => nowMs },
    log,
  });
  const fail = () => {
    answer = () => Promise.reject(new Error('connection refused'));
  };
  return {
    document,
    lines,
    fetches: () => fetches,
    pass: (ms: number) => {
      nowMs += ms;
    },
    fail,
    recover: () => {
      answer = async () => `version ${fetches}`;
    },
  };
}

const away = { code: 'identity-provider-away', status: 503 };

test('a document is fetched when first needed, and kept for a day', async () => {
  const { document, pass, fetches } = aDocument();

  expect(fetches()).toBe(0);
  expect(await document.get()).toBe('version 1');
  pass(DAY - 1);
  expect(await document.get()).toBe('version 1');
  pass(1);
  expect(await document.get()).toBe('version 2');
});

test('many who ask at once share one fetch', async () => {
  const { document, fetches } = aDocument();

  await Promise.all(Array.from({ length: 50 }, () => document.get()));

  expect(fetches()).toBe(1);
});

test('a refresh is made at once, and then at most once a minute', async () => {
  const { document, pass, fetches } = aDocument();
  await document.get();

  expect(await document.refresh()).toBe('version 2');
  pass(MINUTE - 1);
  expect(await document.refresh()).toBeUndefined();
  expect(fetches()).toBe(2);
  pass(1);
  expect(await document.refresh()).toBe('version 3');
  expect(await document.get()).toBe('version 3');
});

test('while the provider is away nobody gets in, and it is not asked all the time', async () => {
  const { document, pass, fetches, fail } = aDocument();
  fail();

  await expect(document.get()).rejects.toMatchObject(away);
  await expect(document.get()).rejects.toMatchObject(away);
  expect(fetches()).toBe(1);

  pass(1000);
  await expect(document.get()).rejects.toMatchObject(away);
  expect(fetches()).toBe(2);
});

test('the service recovers by itself; the log says once that the provider went and came', async () => {
  const { document, pass, lines, fail, recover } = aDocument();
  fail();
  for (let times = 0; times < 3; times += 1) {
    await document.get().catch(() => {});
    pass(1000);
  }

  recover();

  await expect(document.get()).resolves.toBe('version 4');
  expect(lines.map(({ level, event }) => [level, event])).toEqual([
    ['error', 'identity.provider-away'],
    ['info', 'identity.provider-back'],
  ]);
});

test('what was fetched today is good although the provider is away now', async () => {
  const { document, pass, fail } = aDocument();
  await document.get();
  fail();

  expect(await document.get()).toBe('version 1');
  await expect(document.refresh()).rejects.toMatchObject(away);
  pass(DAY);
  await expect(document.get()).rejects.toMatchObject(away);
});
