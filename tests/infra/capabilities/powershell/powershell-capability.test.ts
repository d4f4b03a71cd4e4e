import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import type { Behaviour, Started } from '../../../peers/winrm/shell-service.ts';
import {
  startWinRmPeer,
  type WinRmPeer,
  type WinRmPeerOptions,
} from '../../../peers/winrm/winrm-peer.ts';
import { anInvocation, aTarget, perform } from './an-invocation.ts';

let peer: WinRmPeer | undefined;
afterEach(async () => {
  await peer?.stop();
  peer = undefined;
});

async function aPeer(run: (started: Started) => Behaviour, parts: Partial<WinRmPeerOptions> = {}) {
  peer = await startWinRmPeer({ schemes: ['Negotiate'], run, ...parts });
  return { peer, target: aTarget({ port: `${peer.port}` }) };
}

describe('a script that succeeds', () => {
  test('yields what it printed and an empty error', async () => {
    const { peer, target } = await aPeer(() => ({ stdout: [Buffer.from('one\r\ntwo\r\n')] }));

    const outcome = await perform(anInvocation('Get-Item', { target }));

    expect(outcome).toEqual({
      ok: true,
      values: { __svc_powershell_result__: 'one\r\ntwo\r\n', __svc_powershell_error__: '' },
    });
    expect(peer.service.log).toEqual(['Create', 'Command', 'Receive', 'Delete']);
    expect(peer.service.openShells()).toBe(0);
  });

  test('reaches the target unchanged, whatever characters it holds', async () => {
    const script = 'Write-Output "größe & <tag> \'q\' `n 日本 🫘"';
    const { peer, target } = await aPeer(() => ({}));

    await perform(anInvocation(script, { target }));

    expect(peer.service.started[0]?.program).toBe('powershell.exe');
    expect(peer.service.started[0]?.script).toBe(
      `$ProgressPreference = 'SilentlyContinue'\n${script}`,
    );
  });

  test('may print characters that are split over two pieces', async () => {
    const bytes = Buffer.from('日本🫘');
    const pieces = [...bytes].map((byte) => Buffer.from([byte]));
    const { target } = await aPeer(() => ({ stdout: pieces }));

    const outcome = await perform(anInvocation('x', { target }));

    expect(outcome.values?.['__svc_powershell_result__']).toBe('日本🫘');
  });

  test('may print five megabytes', async () => {
    const piece = Buffer.alloc(100 * 1024, 'abcdefghij');
    const { target } = await aPeer(() => ({ stdout: Array.from({ length: 52 }, () => piece) }));

    const outcome = await perform(anInvocation('x', { target }));

    expect(outcome.values?.['__svc_powershell_result__']).toHaveLength(52 * 100 * 1024);
  });

  test('may keep silent for longer than the target holds back an answer', async () => {
    const { peer, target } = await aPeer(() => ({
      operationTimeouts: 3,
      stdout: [Buffer.from('late')],
    }));

    const outcome = await perform(anInvocation('x', { target }));

    expect(outcome.values?.['__svc_powershell_result__']).toBe('late');
    expect(peer.service.log.filter((verb) => verb === 'Receive')).toHaveLength(4);
  });

  test('may be longer than cmd.exe takes', async () => {
    const script = `Write-Output '${'x'.repeat(11_000)}'`;
    const { peer, target } = await aPeer(() => ({}));

    const outcome = await perform(anInvocation(script, { target }));

    expect(outcome.ok).toBe(true);
    expect(peer.service.started[0]?.script).toContain(script);
  });

  test('is not failed by progress records on the error stream', async () => {
    const progress =
      '#< CLIXML\r\n<Objs Version="1.1.0.1" xmlns="http://schemas.microsoft.com/powershell/2004/04">' +
      '<Obj S="progress" RefId="0"><MS><PR N="Record"><AV>Preparing modules</AV></PR></MS></Obj></Objs>';
    const { target } = await aPeer(() => ({
      stdout: [Buffer.from('ok')],
      stderr: [Buffer.from(progress)],
    }));

    const outcome = await perform(anInvocation('x', { target }));

    expect(outcome).toMatchObject({ ok: true, values: { __svc_powershell_error__: '' } });
  });
});

describe('a script that fails', () => {
  test('with an error record hands result and error to the report', async () => {
    const error =
      '#< CLIXML\r\n<Objs Version="1.1.0.1" xmlns="http://schemas.microsoft.com/powershell/2004/04">' +
      '<S S="Error">Access denied._x000D__x000A_</S></Objs>';
    const { target } = await aPeer(() => ({
      stdout: [Buffer.from('so far')],
      stderr: [Buffer.from(error)],
      exitCode: 1,
    }));

    const outcome = await perform(anInvocation('x', { target }));

    expect(outcome).toEqual({
      ok: false,
      status: 'failed',
      error: 'The target reported an error: Access denied.',
      values: {
        __svc_powershell_result__: 'so far',
        __svc_powershell_error__: 'Access denied.\r\n',
      },
    });
  });

  test('with plain text on the error stream fails though its exit code is 0', async () => {
    const { target } = await aPeer(() => ({ stderr: [Buffer.from('boom')] }));

    const outcome = await perform(anInvocation('x', { target }));

    expect(outcome).toMatchObject({ ok: false, error: 'The target reported an error: boom' });
  });

  test('with an exit code but no word fails', async () => {
    const { target } = await aPeer(() => ({ exitCode: 5 }));

    const outcome = await perform(anInvocation('exit 5', { target }));

    expect(outcome).toMatchObject({
      ok: false,
      status: 'failed',
      error: 'The command ended with exit code 5.',
    });
  });

  test('by printing more than is taken is terminated', async () => {
    const piece = Buffer.alloc(1_000);
    const { peer, target } = await aPeer(() => ({ stdout: [piece, piece, piece, piece] }));

    const outcome = await perform(anInvocation('x', { target }), { maxOutputBytes: 1_500 });

    expect(outcome).toMatchObject({
      ok: false,
      error: 'The command printed more than 1500 bytes.',
    });
    expect(peer.service.log.slice(-2)).toEqual(['Signal', 'Delete']);
  });

  test('to start leaves no shell behind', async () => {
    const { peer, target } = await aPeer(() => ({ fault: 'Access is denied.' }));

    const outcome = await perform(anInvocation('x', { target }));

    expect(outcome).toEqual({
      ok: false,
      status: 'failed',
      error: 'The target refused: Access is denied.',
    });
    expect(peer.service.openShells()).toBe(0);
  });
});

describe('a command that is stopped', () => {
  async function stopEndless(reason?: unknown) {
    const stop = new AbortController();
    const { peer, target } = await aPeer(() => ({
      endless: true,
      onWait: () => stop.abort(reason),
    }));
    const outcome = await perform(anInvocation('while (1) {}', { target, signal: stop.signal }));
    return { peer, outcome };
  }

  test('by the deadline of its step is terminated on the target and reported as a timeout', async () => {
    const { peer, outcome } = await stopEndless(new DOMException('time is up', 'TimeoutError'));

    expect(outcome).toEqual({
      ok: false,
      status: 'timeout_error',
      error: 'The command was stopped: the time of the step is up.',
    });
    expect(peer.service.log.slice(-3)).toEqual(['Receive', 'Signal', 'Delete']);
    expect(peer.service.openShells()).toBe(0);
  });

  test('by the operator is reported as cancelled', async () => {
    const { outcome } = await stopEndless();

    expect(outcome).toMatchObject({
      status: 'failed',
      error: 'The command was stopped: the execution was cancelled.',
    });
  });
});

describe('a target that cannot be used', () => {
  test('refusing the connection fails the command with its address', async () => {
    const gone = await startWinRmPeer({ schemes: ['Negotiate'], run: () => ({}) });
    await gone.stop();

    const outcome = await perform(anInvocation('x', { target: aTarget({ port: `${gone.port}` }) }));

    expect(outcome).toEqual({
      ok: false,
      status: 'failed',
      error: `Cannot connect to 127.0.0.1:${gone.port}: connection refused.`,
    });
  });

  test('is passed over when another of its addresses can be reached', async () => {
    const { target } = await aPeer(() => ({ stdout: [Buffer.from('reached')] }));
    const address = { dname: ['no-such-host.invalid'], ipv4: ['127.0.0.1'] };

    const outcome = await perform(anInvocation('x', { target: { ...target, address } }));

    expect(outcome.values?.['__svc_powershell_result__']).toBe('reached');
  });

  test('with a name nobody knows fails the command', async () => {
    const target = aTarget({ address: { dname: ['no-such-host.invalid'] } });

    const outcome = await perform(anInvocation('x', { target }));

    expect(outcome).toMatchObject({ ok: false, status: 'failed' });
    expect(outcome).toHaveProperty(
      'error',
      expect.stringMatching(
        /^Cannot connect to no-such-host\.invalid:5985: (there is no such name|the name could)/,
      ),
    );
  });

  test('answering something that is no WS-Management fails the command', async () => {
    const { target } = await aPeer(() => ({}), {
      schemes: ['Basic'],
      allowUnencrypted: true,
      interfere: () => ({ status: 200, contentType: 'text/html', body: '<html><br></html>' }),
    });

    const outcome = await perform(anInvocation('x', { target }));

    expect(outcome).toEqual({
      ok: false,
      status: 'failed',
      error: 'The target answered HTTP 200, not WS-Management.',
    });
  });

  test('that takes the connection and never answers fails the command', async () => {
    const silent = createServer(() => {}).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;

    const outcome = await perform(anInvocation('x', { target: aTarget({ port: `${port}` }) }), {
      operationTimeoutSeconds: 0,
      answerGraceMs: 50,
    });
    silent.close();

    expect(outcome).toEqual({
      ok: false,
      status: 'failed',
      error: `Lost the connection to 127.0.0.1:${port}: no answer within 0.05 s.`,
    });
  });

  test('that is no WinRM listener at all fails the command', async () => {
    const { target } = await aPeer(() => ({}), { schemes: [] });

    const outcome = await perform(anInvocation('x', { target }));

    expect(outcome).toMatchObject({
      error: `127.0.0.1:${target.port} offers neither NTLM nor Basic to log in with.`,
    });
  });

  test.each([
    ['without address', { target: aTarget({ address: {} }) }, 'The target has no usable address.'],
    [
      'with a port that is no number',
      { target: aTarget({ port: 'http' }) },
      'The port must be a number from 1 to 65535, not "http".',
    ],
    [
      'without password',
      { authentication: { type: 'user-auth', username: 'operator' } },
      'The password is empty.',
    ],
    [
      'with an authentication that holds no account',
      { authentication: { type: 'oauth2', token: 'x' } },
      'The authentication type oauth2 is not supported by powershell.',
    ],
    ['with an empty command', { text: '  ' }, 'The command is empty.'],
  ])('%s is refused before anything is sent', async (_, parts, error) => {
    const outcome = await perform(anInvocation('x', parts));

    expect(outcome).toEqual({ ok: false, status: 'client_side_error', error });
  });
});
