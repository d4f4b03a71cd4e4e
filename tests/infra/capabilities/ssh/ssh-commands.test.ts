import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Capability } from '../../../../core/ports/capability.ts';
import {
  createSshCapability,
  type SshCapabilityOptions,
} from '../../../../infra/capabilities/ssh/ssh-capability.ts';
import { aKey } from '../../../contracts/key-store.contract.ts';
import { type Sshd, skipSshd, startSshd } from '../../../peers/sshd/start-sshd.ts';
import {
  begin,
  forServer,
  perform,
  pidsIn,
  recordingLog,
  stillRunning,
  timeUp,
} from './ssh-fixture.ts';

const RESULT = '__svc_ssh_result__';
const rootKey = aKey();
const asRoot = { type: 'private-key', username: 'root', private_key: rootKey.privateKey };

describe.skipIf(skipSshd)('commands on a real OpenSSH server', () => {
  let server: Sshd;
  let directory: string;
  let ssh: Capability;

  function aCapability(options: Partial<SshCapabilityOptions> = {}): Capability {
    const knownHostsPath = join(directory, 'known_hosts');
    return createSshCapability({
      keys: undefined,
      hostKeyPolicy: 'first-use',
      knownHostsPath,
      log: recordingLog(),
      ...options,
    });
  }

  beforeAll(async () => {
    server = await startSshd();
    await server.authorize(`${rootKey.publicKey}\n`);
  });
  afterAll(() => server?.stop());
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'ssh-'));
    ssh = aCapability();
  });
  afterEach(() => rm(directory, { recursive: true }));

  test('the result is what the command wrote, untrimmed', async () => {
    const outcome = await perform(ssh, forServer(server, "printf ' grüße \\n\\n'"));

    expect(outcome).toEqual({ ok: true, values: { [RESULT]: ' grüße \n\n' } });
  });

  test('only a leading "ssh " is taken off the command', async () => {
    const outcome = await perform(ssh, forServer(server, 'ssh  echo ssh me, ssh you'));

    expect(outcome).toEqual({ ok: true, values: { [RESULT]: 'ssh me, ssh you\n' } });
  });

  test('a command that reads its input finds it empty', async () => {
    const outcome = await perform(ssh, forServer(server, 'cat; echo done'));

    expect(outcome).toEqual({ ok: true, values: { [RESULT]: 'done\n' } });
  });

  test('an exit status other than zero is a failure that tells status and error output', async () => {
    const outcome = await perform(
      ssh,
      forServer(server, 'echo half; echo no such thing >&2; exit 3'),
    );

    expect(outcome).toEqual({
      ok: false,
      status: 'failed',
      error: `The command at 127.0.0.1:${server.port} ended with status 3: no such thing`,
      values: { [RESULT]: 'half\n' },
    });
  });

  test('of a long error output the last 4 KiB are told, in whole characters', async () => {
    const command = 'i=0; while [ $i -lt 4000 ]; do echo ü$i >&2; i=$((i+1)); done; exit 1';

    const outcome = await perform(ssh, forServer(server, command));

    if (outcome.ok) throw new Error('succeeded');
    const told = outcome.error.slice(outcome.error.indexOf('status 1: ') + 10);
    expect(told.endsWith('ü3998\nü3999')).toBe(true);
    expect(Buffer.byteLength(told)).toBeGreaterThan(4_080);
    expect(Buffer.byteLength(told)).toBeLessThanOrEqual(4_096);
    expect(told).not.toContain('\ufffd');
  });

  test('a command ended by a signal is a failure', async () => {
    const outcome = await perform(ssh, forServer(server, 'kill -9 $$'));

    expect(outcome).toMatchObject({
      status: 'failed',
      error: `The command at 127.0.0.1:${server.port} was ended by SIGKILL.`,
    });
  });

  test('a connection that breaks while the command runs is a failure', async () => {
    const outcome = await perform(ssh, forServer(server, 'kill -9 $PPID; sleep 5'));

    expect(outcome).toMatchObject({
      ok: false,
      status: 'failed',
      error: `The command at 127.0.0.1:${server.port} failed: the connection was lost while it ran.`,
    });
  });

  test('five megabytes of output arrive whole', async () => {
    const command = 'head -c 5000000 /dev/zero | tr "\\0" x; head -c 3000000 /dev/zero >&2';

    const outcome = await perform(ssh, forServer(server, command));

    expect(outcome.ok && outcome.values[RESULT]?.length).toBe(5_000_000);
  });

  test('a command that floods us is ended', async () => {
    const small = aCapability({ maxOutputBytes: 100_000 });

    const outcome = await perform(small, forServer(server, `echo $$ > ${server.home}/flood; yes`));

    expect(outcome).toEqual({
      ok: false,
      status: 'failed',
      error: `The command at 127.0.0.1:${server.port} wrote more than 100000 bytes; it was ended.`,
    });
    expect(await stillRunning(await pidsIn(join(server.home, 'flood'), 1))).toEqual([]);
  });

  test('commands of one step share a connection, and another step gets its own', async () => {
    const session = begin(ssh);
    const first = await session.perform(forServer(server, 'echo $PPID'));
    const second = await session.perform(forServer(server, 'echo $PPID; false'));
    const third = await session.perform(forServer(server, 'echo $PPID'));
    await session.end();
    const other = await perform(ssh, forServer(server, 'echo $PPID'));

    expect(second.values).toEqual(first.values);
    expect(third.values).toEqual(first.values);
    expect(other.values).not.toEqual(first.values);
  });

  test('a connection that broke between two commands is replaced', async () => {
    const session = begin(ssh);
    await session.perform(forServer(server, 'kill -9 $PPID'));

    const outcome = await session.perform(forServer(server, 'echo again'));
    await session.end();

    expect(outcome).toEqual({ ok: true, values: { [RESULT]: 'again\n' } });
  });

  test('commands performed side by side do not end each other', async () => {
    const session = begin(ssh);
    const stop = new AbortController();
    const pids = join(server.home, 'side');
    const command = `echo $$ > ${pids}; trap "" TERM; sleep 300`;
    const stopped = session.perform(
      forServer(server, command, { authentication: asRoot, signal: stop.signal }),
    );
    await pidsIn(pids, 1);
    const other = session.perform(
      forServer(server, `echo $$ >> ${pids}; sleep 2; echo fine`, { authentication: asRoot }),
    );
    await pidsIn(pids, 2);

    stop.abort(timeUp());

    expect((await stopped).ok).toBe(false);
    expect(await other).toEqual({ ok: true, values: { [RESULT]: 'fine\n' } });
    await session.end();
  });

  describe('when the time of the step is up', () => {
    const whoever = (name: string) => (name === 'root' ? asRoot : {});

    test.each([
      ['an ordinary command', 'account', ''],
      ['a command that ignores the polite signal', 'account', 'trap "" TERM; '],
      ['a command of root, for whom sshd takes no signals,', 'root', ''],
      ['a stubborn command of root', 'root', 'trap "" TERM; '],
    ])('%s is ended together with what it started', async (_, user, prelude) => {
      const pids = join(server.home, `pids-${user}-${prelude.length}`);
      const command = `${prelude}echo $$ > ${pids}; sh -c 'echo $$ >> ${pids}; exec sleep 300'; true`;
      const stop = new AbortController();
      const authentication = whoever(user);
      const running = perform(
        ssh,
        forServer(server, command, { authentication, signal: stop.signal }),
      );
      const started = await pidsIn(pids, 2);

      stop.abort(timeUp());

      expect(await running).toEqual({
        ok: false,
        status: 'timeout_error',
        error: `The command at 127.0.0.1:${server.port} was not done before the time of the step was up; it was ended.`,
      });
      expect(await stillRunning(started)).toEqual([]);
    });

    test('a command that ended but left its output open is told apart', async () => {
      const pids = join(server.home, 'left');
      const command = `setsid sleep 60 & echo $! > ${pids}`;

      const outcome = await perform(
        ssh,
        forServer(server, command, { signal: AbortSignal.timeout(1_000) }),
      );

      expect(outcome).toMatchObject({
        status: 'timeout_error',
        error: expect.stringContaining('what it started kept its output open'),
      });
      for (const pid of await pidsIn(pids, 1)) process.kill(pid, 'SIGKILL');
    });

    test('the connection is not used for the next command', async () => {
      const session = begin(ssh);
      const signal = AbortSignal.timeout(400);
      const late = await session.perform(forServer(server, 'sleep 300', { signal }));

      const next = await session.perform(forServer(server, 'echo next'));
      await session.end();

      expect(late).toMatchObject({ status: 'timeout_error' });
      expect(next).toEqual({ ok: true, values: { [RESULT]: 'next\n' } });
    });
  });

  test('a cancelled command is ended and fails as cancelled', async () => {
    const pids = join(server.home, 'cancelled');
    const stop = new AbortController();
    const command = `echo $$ > ${pids}; sleep 300`;
    const running = perform(ssh, forServer(server, command, { signal: stop.signal }));
    const started = await pidsIn(pids, 1);

    stop.abort(new Error('by the operator'));

    expect(await running).toEqual({
      ok: false,
      status: 'failed',
      error: `The command at 127.0.0.1:${server.port} was cancelled; it was ended.`,
    });
    expect(await stillRunning(started)).toEqual([]);
  });
});
