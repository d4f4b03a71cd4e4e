/**
 * Binding: every text of a command, target, agent or authentication that may hold variables gets their
 * values, at the last moment before it is used (spec, Execution rules 11).
 */

import type { Lookup } from '../../cacao/interpolate.ts';
import { interpolate } from '../../cacao/interpolate.ts';
import type { Agent, AgentTarget, AuthenticationInfo, Command } from '../../cacao/playbook.ts';

export type BoundCommand = {
  readonly command: Command;
  /** Text of the command: command_b64 decoded, else command, variables inserted. */
  readonly text: string;
  readonly content: string | Uint8Array | undefined;
};

/** What in a playbook cannot be used; the sentence goes into the report. */
export type Unusable = { readonly unusable: string };

export function bindCommand(command: Command, lookup: Lookup): BoundCommand | Unusable {
  const fill = (text: string) => interpolate(text, lookup);
  const text = decoded('command_b64', command.command_b64);
  if (isUnusable(text)) return text;
  if (text instanceof Uint8Array) return { unusable: 'command_b64 is not UTF-8 text.' };
  const content = command.content ? command.content : decoded('content_b64', command.content_b64);
  if (isUnusable(content)) return content;
  return {
    command: {
      ...command,
      ...(command.headers === undefined
        ? {}
        : { headers: mapValues(command.headers, fillAll(fill)) }),
      ...(typeof command.port === 'string' ? { port: fill(command.port) } : {}),
    },
    text: fill(text ?? command.command ?? ''),
    content: typeof content === 'string' ? fill(content) : content,
  };
}

export function bindTarget<Target extends AgentTarget | Agent>(
  target: Target,
  lookup: Lookup,
): Target {
  const fill = (text: string) => interpolate(text, lookup);
  const list = fillAll(fill);
  return {
    ...target,
    name: fill(target.name),
    ...(target.port === undefined ? {} : { port: fill(target.port) }),
    ...(target.category === undefined ? {} : { category: target.category.map(fill) }),
    ...(target.address === undefined ? {} : { address: mapValues(target.address, list) }),
  };
}

/** Those of CACAO 2.0 and those that tell how an oauth2 token is to be had. */
const boundAuthenticationMembers: readonly string[] = [
  'user_id',
  'username',
  'password',
  'token',
  'oauth_header',
  'private_key',
  'passphrase',
  'kms_key_identifier',
  'token_url',
  'client_id',
  'client_secret',
  'scope',
  'resource',
];

export function bindAuthentication(info: AuthenticationInfo, lookup: Lookup): AuthenticationInfo {
  const bound = Object.entries(info).map(([member, value]) => {
    const isBound = typeof value === 'string' && boundAuthenticationMembers.includes(member);
    return [member, isBound ? interpolate(value, lookup) : value];
  });
  return { ...info, ...Object.fromEntries(bound) };
}

export function isUnusable(value: unknown): value is Unusable {
  return typeof value === 'object' && value !== null && 'unusable' in value;
}

/** Text where the bytes are UTF-8, the bytes where they are not, undefined where nothing is given. */
function decoded(
  member: string,
  base64: string | undefined,
): string | Uint8Array | undefined | Unusable {
  if (base64 === undefined || base64 === '') return undefined;
  const compact = base64.replace(/\s/g, '');
  if (!/^[A-Za-z0-9+/_-]*={0,2}$/.test(compact)) return { unusable: `${member} is not base64.` };
  const bytes = Buffer.from(compact, 'base64');
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return bytes;
  }
}

type Texts = string | number | readonly (string | number)[] | undefined;

function fillAll(fill: (text: string) => string) {
  return <Value extends Texts>(value: Value): Value => fillTexts(value, fill) as Value;
}

function fillTexts(value: Texts, fill: (text: string) => string): Texts {
  if (typeof value === 'string') return fill(value);
  if (!Array.isArray(value)) return value;
  return value.map((item: string | number) => (typeof item === 'string' ? fill(item) : item));
}

function mapValues<Map extends object>(
  map: Map,
  change: <Value extends Texts>(value: Value) => Value,
): Map {
  return Object.fromEntries(
    Object.entries(map).map(([key, value]) => [key, change(value as Texts)]),
  ) as Map;
}
