import { expect, test } from 'vitest';
import { aBench } from '../../support/a-bench.ts';
import { action, aPlaybook, end, start } from '../../support/a-playbook.ts';
import { run } from '../../support/run-playbook.ts';

test('a variable may be named like a part of the language, in conditions too', async () => {
  const variables = JSON.parse('{"__proto__": {"type": "string", "value": "P"}}');
  const playbook = aPlaybook(
    'hostile',
    {
      start: start('check'),
      check: {
        type: 'if-condition',
        condition: "__proto__:value = 'P'",
        on_true: 'yes',
        on_completion: 'end',
        step_variables: { __x__: { type: 'string', value: 'x' } },
      },
      yes: action('yes-end'),
      'yes-end': end,
      end,
    },
    { playbook_variables: variables },
  );

  const ran = await run(aBench(), playbook);

  expect(ran.performed).toEqual(['GET /yes HTTP/1.1']);
});
