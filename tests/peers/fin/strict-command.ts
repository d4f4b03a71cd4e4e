/**
 * A command as strictly as the usual fin library reads it. There, whatever this refuses ends the thread of
 * the capability, and the fin is never heard again.
 */

import { variableTypes } from '../../../core/cacao/schema/variable.ts';

type Json = { readonly [key: string]: unknown };

export type PeerVariable = {
  readonly type: string;
  readonly name: string;
  readonly description: string;
  readonly value: string;
  readonly constant: boolean;
  readonly external: boolean;
};

export type PeerCommand = {
  readonly messageId: string;
  readonly text: string;
  readonly authentication: Json | undefined;
  readonly context: Json;
  readonly variables: { readonly [name: string]: PeerVariable };
  readonly target: Json | undefined;
};

export function readCommand(message: Json): PeerCommand {
  const command = object(message['command'], 'command');
  const context = object(command['context'], 'context');
  for (const id of ['step_id', 'playbook_id', 'execution_id']) text(context[id], id);
  const { timeout, authentication, variables, target } = command;
  const seconds = context['timeout'] ?? timeout;
  if (seconds !== undefined && seconds !== null && !Number.isInteger(seconds)) {
    throw new Error('timeout is no integer');
  }
  const meta = object(message['meta'], 'meta');
  text(meta['timestamp'], 'timestamp');
  text(meta['sender_id'], 'sender_id');
  return {
    messageId: text(message['message_id'], 'message_id'),
    text: text(command['command'], 'command'),
    authentication: authentication === undefined ? undefined : readAuthentication(authentication),
    context,
    variables: readVariables(variables),
    target: target === undefined ? undefined : object(target, 'target'),
  };
}

function readAuthentication(value: unknown): Json | undefined {
  if (value === null) return undefined;
  const authentication = object(value, 'authentication');
  text(authentication['id'], 'id');
  const type = text(authentication['type'], 'type');
  if (!['http-basic', 'oauth2', 'user-auth'].includes(type)) throw new Error(`type ${type}`);
  return authentication;
}

function readVariables(value: unknown): { readonly [name: string]: PeerVariable } {
  return Object.fromEntries(
    Object.entries(object(value ?? {}, 'variables')).map(([key, member]) => {
      const variable = object(member, key);
      const type = text(variable['type'], 'type');
      if (!variableTypes.some((known) => known === type)) throw new Error(`type ${type}`);
      return [
        key,
        {
          type,
          name: text(variable['name'], 'name'),
          description: text(variable['description'], 'description'),
          value: text(variable['value'], 'value'),
          constant: flag(variable['constant'], 'constant'),
          external: flag(variable['external'], 'external'),
        },
      ];
    }),
  );
}

function object(value: unknown, name: string): Json {
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Json;
  throw new Error(`${name} is no object`);
}

function text(value: unknown, name: string): string {
  if (typeof value === 'string') return value;
  throw new Error(`${name} is no text`);
}

function flag(value: unknown, name: string): boolean {
  if (typeof value === 'boolean') return value;
  throw new Error(`${name} is no boolean`);
}
