import { expect, test } from 'vitest';
import { parseCapabilityId, parseFinId } from '../../../core/fins/ids.ts';

test.each(['svc-fin--pingpong-1f0c', 'mod-pong--77aa', 'a/b', 'ä b', 'x'.repeat(1_024)])(
  '"%s" may name a fin or a capability',
  (text) => {
    expect([parseFinId(text), parseCapabilityId(text)]).toEqual([text, text]);
  },
);

test.each(['', '#', 'a/#', '+', 'a\0', '$share/g/a', 'x'.repeat(1_025)])(
  '"%s" may not, because it cannot be a topic of a fin',
  (text) => {
    expect([parseFinId(text), parseCapabilityId(text)]).toEqual([undefined, undefined]);
  },
);
