import { expect, test } from 'vitest';
import {
  parseEpisodeRejection,
  parseEpisodeReturn,
} from '../../../../../infra/local/durable/protocol/episode-result.ts';

const marker = '\n\n$OutOfProcData$:';

test('the answer behind the marker of a rejection is read, whatever the error says before it', () => {
  const answer = { isDone: false, actions: [[]], error: `quotes ${marker} itself` };

  const result = parseEpisodeRejection(new Error(`false${marker}${JSON.stringify(answer)}`));

  expect(result).toMatchObject({ kind: 'answer', error: answer.error, isDone: false });
});

test('a rejection without the marker is a hard failure', () => {
  expect(parseEpisodeRejection(new Error('worker gone'))).toEqual({
    kind: 'broken',
    message: 'worker gone',
  });
});

test('what is not an answer of the SDK is a hard failure, not a crash', () => {
  for (const returned of [undefined, null, 7, {}, { isDone: true, actions: [] }]) {
    expect(parseEpisodeReturn(returned).kind).toBe('broken');
  }
});

test('dates of timers are read as objects and as text', () => {
  const at = '2026-01-02T03:04:05.000Z';
  const answer = (fireAt: unknown) => ({
    isDone: false,
    actions: [[{ actionType: 5, fireAt, isCanceled: false }]],
  });
  const expected = { actions: [{ kind: 'timer', fireAt: Date.parse(at), cancelled: false }] };

  expect(parseEpisodeReturn(answer(at))).toMatchObject(expected);
  expect(parseEpisodeReturn(answer(new Date(at)))).toMatchObject(expected);
  expect(parseEpisodeReturn(answer('soon')).kind).toBe('broken');
});

test('a kind of action this engine does not know is named', () => {
  const found = parseEpisodeReturn({ isDone: false, actions: [[{ actionType: 99 }]] });

  expect(found).toEqual({
    kind: 'broken',
    message: 'The local durable engine does not support action type 99.',
  });
});
