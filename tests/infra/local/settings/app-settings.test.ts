import { describe, expect, test } from 'vitest';
import { parseAppSettings } from '../../../../infra/local/settings/app-settings.ts';

describe('local.settings.json', () => {
  test('its Values are read, the rest is for other tools', () => {
    const text = '{"IsEncrypted":false,"Values":{"A":"1"},"Host":{"LocalHttpPort":7071}}';

    expect(parseAppSettings(text)).toEqual({ A: '1' });
    expect(parseAppSettings('{}')).toEqual({});
  });

  test.each([
    ['{', 'local.settings.json is not valid JSON.'],
    ['null', 'local.settings.json must hold a JSON object.'],
    ['{"Values":"x"}', '"Values" in local.settings.json must be an object.'],
    ['{"Values":{"A":1}}', 'The value of A in local.settings.json must be a text.'],
    [
      '{"IsEncrypted":true}',
      'local.settings.json is encrypted; decrypt it with the tool that did it.',
    ],
  ])('%s is refused', (text, message) => {
    expect(() => parseAppSettings(text)).toThrow(message);
  });
});
