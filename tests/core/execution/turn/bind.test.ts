/** Variables are inserted into commands, targets, agents and credentials at the last moment. */

import { describe, expect, test } from 'vitest';
import type { AgentTarget, AuthenticationInfo, Command } from '../../../../core/cacao/playbook.ts';
import {
  bindAuthentication,
  bindCommand,
  bindTarget,
} from '../../../../core/execution/turn/bind.ts';

const values: { readonly [name: string]: string } = { __a__: 'A', __b__: '__a__:value', __e__: '' };
const lookup = (name: string) => values[name];
const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
const command = (more: object) => ({ type: 'http-api', ...more }) as Command;

describe('a command', () => {
  test('has its text, headers, port and content filled in, inserted values not looked at again', () => {
    const bound = bindCommand(
      command({
        command: 'GET /__a__:value/__b__:value/__e__:value/__x__:value',
        headers: { '__a__:value': ['__a__:value', 'plain'] },
        port: '80__a__:value',
        content: '{"a":"__a__:value"}',
      }),
      lookup,
    );

    expect(bound).toMatchObject({
      text: 'GET /A/__a__:value//__x__:value',
      content: '{"a":"A"}',
      command: { headers: { '__a__:value': ['A', 'plain'] }, port: '80A' },
    });
  });

  test('given as base64 is decoded before it is filled in, and wins over plain text', () => {
    const bound = bindCommand(
      command({
        command: 'old',
        command_b64: base64('do __a__:value ü'),
        content_b64: base64('c __a__:value'),
      }),
      lookup,
    );

    expect(bound).toMatchObject({ text: 'do A ü', content: 'c A' });
  });

  test('may be folded over lines or lack its padding', () => {
    const folded = base64('a command of some length')
      .replace(/(.{8})/g, '$1\n')
      .replace(/=/g, '');

    expect(bindCommand(command({ command_b64: folded }), lookup)).toMatchObject({
      text: 'a command of some length',
    });
  });

  test('keeps content that is no text as its bytes', () => {
    const bytes = new Uint8Array([0xff, 0x00, 0xfe]);

    const bound = bindCommand(command({ command: 'x', content_b64: base64(bytes) }), lookup);

    expect('content' in bound && bound.content).toEqual(Buffer.from(bytes));
  });

  test.each([
    [{ command_b64: 'what?' }, 'command_b64 is not base64.'],
    [{ command_b64: base64(new Uint8Array([0xff])) }, 'command_b64 is not UTF-8 text.'],
    [{ command: 'x', content_b64: 'what?' }, 'content_b64 is not base64.'],
  ])('that cannot be decoded is unusable: %j', (more, reason) => {
    expect(bindCommand(command(more), lookup)).toEqual({ unusable: reason });
  });

  test('without any text is empty', () => {
    expect(bindCommand(command({ command_b64: '' }), lookup)).toMatchObject({
      text: '',
      content: undefined,
    });
  });

  test('is not changed itself', () => {
    const given = command({ command: '__a__:value', headers: { h: ['__a__:value'] } });
    const before = structuredClone(given);

    bindCommand(given, lookup);

    expect(given).toEqual(before);
  });
});

test('a target has its name, port, categories and every address filled in', () => {
  const target = {
    type: 'http-api',
    name: 'box __a__:value',
    port: '__a__:value',
    category: ['__a__:value'],
    address: { url: ['http://__a__:value/'], ipv4: ['__a__:value', '10.0.0.1'] },
    location: { name: '__a__:value' },
  } as unknown as AgentTarget;

  expect(bindTarget(target, lookup)).toEqual({
    type: 'http-api',
    name: 'box A',
    port: 'A',
    category: ['A'],
    address: { url: ['http://A/'], ipv4: ['A', '10.0.0.1'] },
    location: { name: '__a__:value' },
  });
});

test('credentials have what the capabilities use filled in, and nothing else', () => {
  const info = {
    type: 'user-auth',
    name: '__a__:value',
    username: '__a__:value',
    password: 'p__a__:value',
    kms: true,
    kms_key_identifier: 'key-__a__:value',
  } as unknown as AuthenticationInfo;

  expect(bindAuthentication(info, lookup)).toEqual({
    type: 'user-auth',
    name: '__a__:value',
    username: 'A',
    password: 'pA',
    kms: true,
    kms_key_identifier: 'key-A',
  });
});
