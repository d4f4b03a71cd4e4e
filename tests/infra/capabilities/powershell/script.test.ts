import { describe, expect, test } from 'vitest';
import { encodeScript, programFor } from '../../../../infra/capabilities/powershell/script.ts';

function decoded(text: string): string {
  const encoded = encodeScript(text)?.split(' ').at(-1) ?? '';
  return Buffer.from(encoded, 'base64').toString('utf16le');
}

describe('the script that is sent', () => {
  test('begins by silencing progress', () => {
    expect(decoded('Get-Date')).toBe("$ProgressPreference = 'SilentlyContinue'\nGet-Date");
  });

  test.each([
    'param($a) $a',
    '  # note\nparam (\n$a)',
    'using namespace System',
    '[CmdletBinding()] param()',
  ])('stays untouched when its first statement must stay first: %s', (text) => {
    expect(decoded(text)).toBe(text);
  });

  test('is refused when no Windows command line can hold it', () => {
    expect(encodeScript('x'.repeat(11_900))).toBeDefined();
    expect(encodeScript('x'.repeat(12_100))).toBeUndefined();
  });
});

test.each([
  [undefined, 'powershell'],
  ['5.1', 'powershell'],
  ['7.4', 'pwsh'],
  ['v7', 'pwsh'],
  ['1.0', 'powershell'],
])('PowerShell version %s is started as %s', (version, program) => {
  expect(programFor(version)).toBe(program);
});
