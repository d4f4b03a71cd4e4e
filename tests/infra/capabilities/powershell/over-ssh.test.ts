import { describe, expect, test } from 'vitest';
import {
  type Capability,
  type CommandOutcome,
  type Invocation,
  statelessCapability,
} from '../../../../core/ports/capability.ts';
import { anInvocation, aTarget, perform } from './an-invocation.ts';

function anSsh(outcome: CommandOutcome): { ssh: Capability; asked: Invocation[] } {
  const asked: Invocation[] = [];
  const ssh = statelessCapability('ssh', async (invocation) => {
    asked.push(invocation);
    return outcome;
  });
  return { ssh, asked };
}

const succeeded: CommandOutcome = { ok: true, values: { __svc_ssh_result__: 'out' } };

describe('a target reached by SSH', () => {
  test.each([
    ['of type ssh', aTarget({ type: 'ssh' })],
    ['on port 22', aTarget({ port: '22' })],
  ])('%s gets the script as the argument of a powershell started there', async (_, target) => {
    const { ssh, asked } = anSsh(succeeded);
    const command = { type: 'powershell', command_b64: 'R2V0LURhdGU=' };

    const outcome = await perform(anInvocation('Get-Date', { target, command }), { overSsh: ssh });

    expect(outcome).toEqual({
      ok: true,
      values: { __svc_powershell_result__: 'out', __svc_powershell_error__: '' },
    });
    expect(asked[0]?.text).toMatch(
      /^powershell -NoProfile -NonInteractive -EncodedCommand [\w+/]+=*$/,
    );
    expect(asked[0]?.command).toEqual({ type: 'ssh', command: asked[0]?.text });
  });

  test('is asked for pwsh when the command wants a version later than 5', async () => {
    const { ssh, asked } = anSsh(succeeded);
    const command = { type: 'powershell', command: 'x', version: '7.2' };

    await perform(anInvocation('x', { target: aTarget({ type: 'ssh' }), command }), {
      overSsh: ssh,
    });

    expect(asked[0]?.text).toMatch(/^pwsh /);
  });

  test('that fails tells so under the names of this capability', async () => {
    const { ssh } = anSsh({
      ok: false,
      status: 'failed',
      error: 'command ended with status 1: no',
    });

    const outcome = await perform(anInvocation('x', { target: aTarget({ port: '22' }) }), {
      overSsh: ssh,
    });

    expect(outcome).toEqual({
      ok: false,
      status: 'failed',
      error: 'command ended with status 1: no',
      values: {
        __svc_powershell_result__: '',
        __svc_powershell_error__: 'command ended with status 1: no',
      },
    });
  });
});
