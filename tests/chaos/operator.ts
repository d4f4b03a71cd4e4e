/** A person who answers every question, goes on when the service is away, and remembers what was accepted. */

import { setTimeout as delay } from 'node:timers/promises';
import { clientOf } from '../support/client.ts';

export type Operator = {
  /** `<execution> <question>` of every answer that was met with 200. */
  readonly accepted: ReadonlySet<string>;
  /** Questions that were asked again after their answer had been accepted. */
  readonly askedAgain: readonly string[];
  stop(): Promise<void>;
};

type Pending = {
  readonly execution_id: string;
  readonly step_id: string;
  readonly command: string;
};

/** `url` is where the service is at the moment, undefined while it is down. */
export function startOperator(url: () => string | undefined): Operator {
  const accepted = new Set<string>();
  const askedAgain: string[] = [];
  let isStopped = false;
  const working = work();
  return {
    accepted,
    askedAgain,
    async stop() {
      isStopped = true;
      await working;
    },
  };

  async function work(): Promise<void> {
    while (!isStopped) {
      await delay(15);
      // The service may die at any moment; what was accepted by then counts.
      await round().catch(() => {});
    }
  }

  async function round(): Promise<void> {
    const base = url();
    if (base === undefined) return;
    const ask = clientOf(base);
    const known = new Set(accepted);
    const pending: readonly Pending[] = (await ask('GET', '/manual')).json;
    for (const question of pending) {
      const key = `${question.execution_id} ${question.command}`;
      if (known.has(key)) askedAgain.push(key);
      const { status } = await ask('POST', '/manual/continue', { body: answerTo(question) });
      if (status === 200) accepted.add(key);
    }
  }
}

function answerTo({ execution_id, step_id, command }: Pending) {
  const declines = command.includes('decline');
  return {
    execution_id,
    step_id,
    response_status: declines ? 'failure' : 'success',
    response_out_args: declines ? {} : { __verdict__: { value: `yes to ${command}` } },
  };
}
