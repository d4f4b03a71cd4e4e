/** The playbooks that are measured. */

import type { JsonObject } from '../../core/json.ts';
import { action, aPlaybook, byPerson, end, start, targetIds } from '../support/a-playbook.ts';

type Steps = Parameters<typeof aPlaybook>[1];

function hosted(name: string, url: string, steps: Steps, more: JsonObject = {}): JsonObject {
  return aPlaybook(name, steps, {
    target_definitions: {
      [targetIds.box]: { type: 'http-api', name: 'box', address: { url: [url] } },
    },
    ...more,
  });
}

/** So many action steps, one after the other. */
export function aChain(length: number, url = 'http://127.0.0.1:9/'): JsonObject {
  const names = Array.from({ length }, (_, at) => `s${at}`);
  const steps = names.map((name, at) => [name, action(names[at + 1] ?? 'end')] as const);
  const first = start(names[0] ?? 'end');
  return hosted(`chain-${length}`, url, { first, ...Object.fromEntries(steps), end });
}

/** A loop whose one action answers the number of its turn. */
export function aLoop(turns: number, url: string): JsonObject {
  return hosted(
    `loop-${turns}`,
    url,
    {
      first: start('again'),
      again: {
        type: 'while-condition',
        condition: `__svc_http_api_result__:value != '${turns}'`,
        on_true: 'turn',
        on_completion: 'end',
      },
      turn: action('back', {
        commands: [{ type: 'http-api', command: 'GET /count HTTP/1.1' }],
        out_args: ['__svc_http_api_result__'],
      }),
      back: end,
      end,
    },
    { playbook_variables: { __svc_http_api_result__: { type: 'string', value: '0' } } },
  );
}

export function aQuestion(): JsonObject {
  const ask = action('end', { ...byPerson, timeout: 3_600_000 });
  return aPlaybook('question', { first: start('ask'), ask, end });
}
