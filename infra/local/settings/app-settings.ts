/** Reads `Values` of local.settings.json, the file in which Functions tools keep settings of a machine. */

import { StartError } from '../start-error.ts';

/** Throws a StartError when the text is not such a file. */
export function parseAppSettings(text: string): Readonly<Record<string, string>> {
  const file = parseObject(text);
  if (file['IsEncrypted'] === true) {
    throw new StartError('local.settings.json is encrypted; decrypt it with the tool that did it.');
  }
  const values = file['Values'] ?? {};
  if (typeof values !== 'object' || values === null) {
    throw new StartError('"Values" in local.settings.json must be an object.');
  }
  return Object.fromEntries(
    Object.entries(values).map(([name, value]: [string, unknown]) => {
      if (typeof value === 'string') return [name, value];
      throw new StartError(`The value of ${name} in local.settings.json must be a text.`);
    }),
  );
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const parsed: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    if (typeof parsed === 'object' && parsed !== null) return parsed as Record<string, unknown>;
  } catch (cause) {
    throw new StartError('local.settings.json is not valid JSON.', { cause });
  }
  throw new StartError('local.settings.json must hold a JSON object.');
}
