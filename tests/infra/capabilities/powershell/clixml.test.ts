import { expect, test } from 'vitest';
import { errorTextOf } from '../../../../infra/capabilities/powershell/clixml.ts';

const HEADER = '#< CLIXML\r\n';

function objects(records: string): string {
  return `<Objs Version="1.1.0.1" xmlns="http://schemas.microsoft.com/powershell/2004/04">${records}</Objs>`;
}

test('plain text stays as it is', () => {
  expect(errorTextOf('cmd: not found\r\n')).toBe('cmd: not found\r\n');
});

test('error records become text, line ends and all', () => {
  const stderr =
    HEADER + objects('<S S="Error">first_x000D__x000A_</S><S S="Error">&lt;second&gt;</S>');

  expect(errorTextOf(stderr)).toBe('first\r\n<second>');
});

test('characters written as two units and escaped underscores are restored', () => {
  const stderr = HEADER + objects('<S S="Error">_xD83E__xDED8_ _x005F_x0041_</S>');

  expect(errorTextOf(stderr)).toBe('🫘 _x0041_');
});

test.each([
  ['progress', '<Obj S="progress" RefId="0"><MS><Nil N="Activity"/></MS></Obj>'],
  ['warnings', '<S S="warning">careful</S>'],
  ['verbose words', '<S S="verbose">by the way</S>'],
  ['nothing', ''],
])('%s alone are no error', (_, records) => {
  expect(errorTextOf(HEADER + objects(records))).toBe('');
});

test('an empty document is no error', () => {
  expect(errorTextOf(`${HEADER}<Objs Version="1.1.0.1"/>`)).toBe('');
});

test('text of a native program between records is kept', () => {
  const stderr = `native says no\r\n${HEADER}${objects('<S S="Error">and so do I</S>')}`;

  expect(errorTextOf(stderr)).toBe('native says no\r\nand so do I');
});

test('several documents are read one after the other', () => {
  const stderr =
    HEADER + objects('<Obj S="progress" RefId="0"/>') + HEADER + objects('<S S="Error">late</S>');

  expect(errorTextOf(stderr)).toBe('late');
});

test('a document that is cut short is reported as it came', () => {
  expect(errorTextOf(`${HEADER}<Objs><S S="Error">cut`)).toBe('<Objs><S S="Error">cut');
});
