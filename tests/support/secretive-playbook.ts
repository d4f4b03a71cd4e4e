/** Playbooks whose credentials, addresses, commands and questions are full of marked secrets. */

import type { JsonObject } from '../../core/json.ts';
import { action, agentIds, aPlaybook, end, start } from './a-playbook.ts';
import { coreOf, mark } from './marked-secrets.ts';

export type Places = {
  readonly webUrl: string;
  readonly windowsPort: number;
  readonly ssh: { readonly port: number; readonly username: string } | undefined;
};

type Steps = Parameters<typeof aPlaybook>[1];

const uuid = (n: number) => `00000000-0000-4000-8000-0000000000${String(n).padStart(2, '0')}`;

export const agentFor = {
  'http-api': `svc--${uuid(1)}`,
  'openc2-http': `svc--${uuid(2)}`,
  ssh: `svc--${uuid(3)}`,
  powershell: `svc--${uuid(4)}`,
  'caldera-cmd': `svc--${uuid(5)}`,
};
type CommandType = keyof typeof agentFor;

/** Web targets, named after how their credentials are given. */
export const web = {
  basicInline: `net-address--${uuid(1)}`,
  tokenInline: `net-address--${uuid(2)}`,
  byVariable: `net-address--${uuid(3)}`,
  basicReferred: `net-address--${uuid(4)}`,
  tokenReferred: `net-address--${uuid(5)}`,
  missing: `net-address--${uuid(6)}`,
};
export const box = {
  ssh: `ssh--${uuid(1)}`,
  windowsInline: `net-address--${uuid(11)}`,
  windowsReferred: `net-address--${uuid(12)}`,
  caldera: `security-category--${uuid(1)}`,
};

const secretVariable = '__secret__:value';

const credentials: JsonObject = {
  [`http-basic--${uuid(1)}`]: { type: 'http-basic', user_id: 'me', password: mark('Basic') },
  [`oauth2--${uuid(2)}`]: { type: 'oauth2', oauth_header: '', token: `${coreOf('Token')}"\\@` },
  [`user-auth--${uuid(3)}`]: { type: 'user-auth', username: 'me', password: secretVariable },
  [`http-basic--${uuid(4)}`]: { type: 'http-basic', user_id: 'me', password: 'env:SECRET_BASIC' },
  [`oauth2--${uuid(5)}`]: { type: 'oauth2', oauth_header: '', token: 'env:SECRET_TOKEN' },
  [`http-basic--${uuid(6)}`]: { type: 'http-basic', user_id: 'me', password: 'env:SECRET_NONE' },
};

export function withSecrets(
  { webUrl, windowsPort, ssh }: Places,
  name: string,
  steps: Steps,
  variables: JsonObject = { __secret__: { type: 'string', value: mark('Variable') } },
): JsonObject {
  const user = (username: string, password: string) => ({ type: 'user-auth', username, password });
  const [forInline, forReferred, forSsh] = [7, 8, 9].map((n) => `user-auth--${uuid(n)}`);
  const addresses = { url: [`${webUrl}/as/${secretVariable}`] };
  const local = { type: 'net-address', name: 'box', address: { ipv4: ['127.0.0.1'] } };
  const websites = Object.keys(credentials).map((authentication_info, index) => [
    `net-address--${uuid(index + 1)}`,
    { type: 'net-address', name: `me-${secretVariable}`, address: addresses, authentication_info },
  ]);
  return aPlaybook(name, steps, {
    agent_definitions: {
      ...Object.fromEntries(
        Object.entries(agentFor).map(([type, id]) => [id, { type: 'svc', name: `svc-${type}` }]),
      ),
      [agentIds.person]: { type: 'individual', name: 'svc-manual' },
    },
    authentication_info_definitions: {
      ...credentials,
      [forInline ?? '']: user('inline', mark('Windows')),
      [forReferred ?? '']: user('referred', 'env:SECRET_WINDOWS'),
      [forSsh ?? '']: user(ssh?.username ?? 'nobody', 'env:SECRET_SSH'),
    },
    target_definitions: {
      ...Object.fromEntries(websites),
      [box.ssh]: {
        ...local,
        type: 'ssh',
        port: `${ssh?.port ?? 9}`,
        authentication_info: forSsh ?? '',
      },
      [box.windowsInline]: {
        ...local,
        port: `${windowsPort}`,
        authentication_info: forInline ?? '',
      },
      [box.windowsReferred]: {
        ...local,
        port: `${windowsPort}`,
        authentication_info: forReferred ?? '',
      },
      [box.caldera]: { type: 'security-category', name: 'red', category: ['caldera'] },
    },
    playbook_variables: { ...variables, __number__: { type: 'integer', value: '7' } },
  });
}

/** One step after the other, whatever becomes of them. */
export function inTurn(steps: readonly JsonObject[]): Steps {
  const names = steps.map((_, index) => `step-${index}`);
  const chained = steps.map((step, index) => {
    const next = names[index + 1] ?? 'end';
    return [names[index], action(undefined, { ...step, on_success: next, on_failure: next })];
  });
  return { start: start(names[0] ?? 'end'), ...Object.fromEntries(chained), end };
}

/** A request that carries the variable in its path, a header and its body. */
export function request(path: string, targets: readonly string[], type: CommandType = 'http-api') {
  const command = `POST ${path}/${secretVariable} HTTP/1.1`;
  const headers = { 'X-Key': [secretVariable] };
  const content = `{"key":"${secretVariable}"}`;
  return { agent: agentFor[type], targets, commands: [{ type, command, headers, content }] };
}

/** The same command as text and in base64. */
export function remote(type: CommandType, target: string, command: string) {
  const commands = [
    { type, command },
    { type, command_b64: btoa(command) },
  ];
  return { agent: agentFor[type], targets: [target], commands };
}
