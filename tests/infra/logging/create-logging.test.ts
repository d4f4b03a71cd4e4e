import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { LogConfig } from '../../../core/config/config.ts';
import {
  createLogging,
  type Logging,
  type LoggingOptions,
} from '../../../infra/logging/create-logging.ts';

const noon = Date.UTC(2026, 10, 21, 12);
let directory: string;
let filePath: string;

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'logging-'));
  filePath = join(directory, 'service.log');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const someConfig = (more: Partial<LogConfig> = {}): LogConfig => ({
  mode: 'development',
  level: 'info',
  format: 'json',
  filePath,
  playbookApiLevel: 'trace',
  ...more,
});

/** What stands in the log file once `work` has logged. */
async function logged(
  config: LogConfig,
  work: (logging: Logging) => void,
  options: LoggingOptions = {},
): Promise<string> {
  const logging = createLogging(config, { now: () => noon, ...options });
  work(logging);
  await logging.close();
  return readFileSync(filePath, 'utf8');
}
const linesOf = (text: string): unknown[] =>
  text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
const eventsOf = (text: string): string[] =>
  [...text.matchAll(/"msg":"([^"]+)"/g)].flatMap((match) => match[1] ?? []);

describe('a log line', () => {
  test('is a JSON object with component, level, msg and time before the facts', async () => {
    const text = await logged(someConfig(), ({ log }) => {
      log
        .child('engine')
        .warning('step.failed', { stepId: 'action--1', attempt: 2, note: undefined });
    });

    expect(text).toBe(
      '{"time":"2026-11-21T12:00:00.000Z","level":"warning","component":"engine","msg":"step.failed","stepId":"action--1","attempt":2}\n',
    );
  });

  test('reads as key=value pairs in the text format', async () => {
    const text = await logged(someConfig({ format: 'text' }), ({ log }) => {
      log.info('service.started', { url: 'http://h:8080/', text: 'two words', list: [1] });
    });

    expect(text).toBe(
      'time=2026-11-21T12:00:00.000Z level=info component=service msg=service.started url=http://h:8080/ text="two words" list="[1]"\n',
    );
  });

  test('never breaks, whatever is logged', async () => {
    const cycle: { self?: unknown } = {};
    cycle.self = cycle;
    const hostile = Object.defineProperty({}, 'x', {
      enumerable: true,
      get() {
        throw new Error('no');
      },
    });
    const text = await logged(someConfig({ format: 'text' }), ({ log }) => {
      log.info('odd.values', {
        time: 'mine',
        cycle,
        hostile,
        big: 10n,
        bytes: new Uint8Array(5),
        lines: 'a\nb',
        run: () => {},
        wide: Array.from({ length: 5000 }, (_, index) => ({ index })),
      });
    });

    expect(text.split('\n')).toHaveLength(2);
    expect(text).toContain('field.time=mine');
    expect(text.length).toBeLessThan(100_000);
  });

  test('tells code, cause and stack of an error', async () => {
    const error = new Error('outer', {
      cause: Object.assign(new Error('inner'), { code: 'ECONN' }),
    });

    const [line] = linesOf(
      await logged(someConfig(), ({ log }) => log.error('store.away', { error })),
    );

    expect(line).toMatchObject({
      error: {
        name: 'Error',
        message: 'outer',
        stack: expect.stringContaining('create-logging.test.ts'),
        cause: { message: 'inner', code: 'ECONN' },
      },
    });
  });

  test('shows no secret, not even inside quotes, errors or keys', async () => {
    const secret = 'pa"ss\\word';
    const redact = (text: string) => text.replaceAll(secret, '***');
    const text = await logged(
      someConfig(),
      ({ log }) => {
        const nested = { [secret]: [secret] };
        log.info('login.failed', { secret, error: new Error(`bad ${secret}`), nested });
      },
      { redact },
    );

    expect(text).not.toMatch(/pa.{0,2}ss/);
    expect(text).toContain('bad ***');
  });
});

describe('levels', () => {
  const everyLevel = ({ log }: Logging) => {
    log.fatal('level.fatal');
    log.info('level.info');
    log.debug('level.debug');
    log.child('playbook-api', 'trace').trace('own.trace');
    log.child('quiet', 'error').info('quiet.info');
  };

  test('in development a component is heard at its own level or the global one, whichever tells more', async () => {
    const text = await logged(someConfig({ mode: 'development' }), everyLevel);

    expect(eventsOf(text)).toEqual(['level.fatal', 'level.info', 'own.trace', 'quiet.info']);
  });

  test('in production no component is heard beyond the global level', async () => {
    const text = await logged(someConfig({ mode: 'production' }), everyLevel);

    expect(eventsOf(text)).toEqual(['level.fatal', 'level.info']);
  });

  test('can be asked for before something costly is prepared', async () => {
    const logging = createLogging(someConfig());

    expect([logging.log.enabled('info'), logging.log.enabled('debug')]).toEqual([true, false]);
    await logging.close();
  });

  test('do not silence the security log', async () => {
    const config = someConfig({ mode: 'production', level: 'panic' });
    const text = await logged(config, ({ log, security }) => {
      log.error('unheard.error');
      security.record('playbook_deleted', { playbookId: 'playbook--1', caller: 'ada' });
    });

    expect(linesOf(text)).toEqual([
      {
        time: '2026-11-21T12:00:00.000Z',
        level: 'info',
        component: 'security',
        msg: 'playbook_deleted',
        event: 'playbook_deleted',
        playbookId: 'playbook--1',
        caller: 'ada',
      },
    ]);
  });
});

describe('the log file', () => {
  test('is appended to', async () => {
    writeFileSync(filePath, 'earlier\n');

    const text = await logged(someConfig(), ({ log }) => log.info('a.b'));

    expect(text).toMatch(/^earlier\n\{.*\}\n$/);
  });

  test('keeps ten thousand lines in order', async () => {
    const text = await logged(someConfig(), ({ log }) => {
      for (let index = 0; index < 10_000; index += 1) log.info('a.b', { index });
    });

    const indexes = linesOf(text).map((line) => (line as { index: number }).index);
    expect(indexes).toEqual(Array.from({ length: 10_000 }, (_, index) => index));
  });

  test('can be rotated without losing a line', async () => {
    const logging = createLogging(someConfig());
    logging.log.info('before.rotation');
    await logging.flush();

    renameSync(filePath, `${filePath}.1`);
    logging.reopen();
    logging.log.info('after.rotation');
    await logging.close();

    expect(eventsOf(readFileSync(`${filePath}.1`, 'utf8'))).toEqual(['before.rotation']);
    expect(eventsOf(readFileSync(filePath, 'utf8'))).toEqual(['after.rotation']);
  });

  test('has a fatal line on disk before the next statement runs', async () => {
    const logging = createLogging(someConfig());

    logging.log.info('first.line');
    logging.log.fatal('last.words');

    expect(eventsOf(readFileSync(filePath, 'utf8'))).toEqual(['first.line', 'last.words']);
    await logging.close();
  });
});

describe('a process that logs', () => {
  const run = (logPath: string, ending: string) => {
    const module = new URL('../../../infra/logging/create-logging.ts', import.meta.url).href;
    const config = JSON.stringify({
      ...someConfig(),
      filePath: logPath === '' ? undefined : logPath,
    });
    const script = `import { createLogging } from '${module}';
      const { log } = createLogging(${config});
      log.info('only.line');
      ${ending}`;
    return promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script]);
  };

  test('leaves nothing behind when it exits at once', async () => {
    await run(filePath, 'process.exit(0);');

    expect(eventsOf(readFileSync(filePath, 'utf8'))).toEqual(['only.line']);
  });

  test('writes to standard output without a file, and warns there when the file cannot be opened', async () => {
    const plain = await run('', '');
    const unopenable = await run(join(directory, 'missing', 'x.log'), 'process.exit(0);');

    expect(eventsOf(plain.stdout)).toEqual(['only.line']);
    expect(eventsOf(unopenable.stdout)).toEqual(['log.file-unusable', 'only.line']);
  });
});
