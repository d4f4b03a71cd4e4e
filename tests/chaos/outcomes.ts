/** What is compared of executions: reports without what differs from execution to execution. */

import type { Report, StepReport } from '../../core/execution/operations/report.ts';
import type { StepRecord } from '../../core/execution/run.ts';
import type { Client } from '../support/client.ts';

type Invocation = {
  readonly status: string;
  readonly errors: readonly string[];
  readonly executed_by: string;
  readonly commands_b64: readonly string[];
  readonly variables: { readonly [name: string]: { readonly value: string } };
  readonly automated_execution: boolean;
  readonly restarted?: number;
  readonly sub_execution_id?: string;
};
type StepResult = Invocation & {
  readonly name: string;
  readonly execution_count: number;
  readonly previous: readonly Invocation[];
};
export type ReportWire = {
  readonly status: string;
  readonly errors: readonly string[];
  readonly step_results: { readonly [id: string]: StepResult };
};

/** A report with those of its children inside. */
export async function outcomeOf(ask: Client, id: string): Promise<object> {
  const report: ReportWire = (await ask('GET', `/reporter/${id}`)).json;
  const steps: [string, object][] = [];
  for (const step of Object.values(report.step_results)) {
    const invocations = [...step.previous, step];
    const all: object[] = [];
    for (const invocation of invocations) all.push(await seen(ask, invocation));
    steps.push([step.name, { count: step.execution_count, all }]);
  }
  const { status, errors } = report;
  return { status, errors, steps: Object.fromEntries(steps) };
}

async function seen(ask: Client, invocation: Invocation): Promise<object> {
  const { status, errors, executed_by, variables, automated_execution } = invocation;
  const child = invocation.sub_execution_id;
  return {
    status,
    errors,
    executed_by,
    automated_execution,
    commands: commandsOf(invocation),
    variables: Object.fromEntries(
      Object.entries(variables).map(([name, { value }]) => [name, value]),
    ),
    ...(child === undefined ? {} : { child: await outcomeOf(ask, child) }),
  };
}

function commandsOf({ commands_b64 }: Pick<Invocation, 'commands_b64'>): readonly string[] {
  return commands_b64.map((text) => Buffer.from(text, 'base64').toString('utf8'));
}

/** How often each command was begun again, according to the reports. */
export function restartsIn(reports: readonly ReportWire[]): ReadonlyMap<string, number> {
  const restarts = new Map<string, number>();
  for (const { step_results } of reports) {
    for (const step of Object.values(step_results)) {
      for (const invocation of [...step.previous, step]) {
        for (const text of commandsOf(invocation)) restarts.set(text, invocation.restarted ?? 0);
      }
    }
  }
  return restarts;
}

/** Texts of the commands of steps whose end is recorded. */
export function recordedCommands(reports: readonly Report[]): ReadonlySet<string> {
  const records: readonly StepRecord[] = reports
    .flatMap(({ steps }): readonly StepReport[] => steps)
    .flatMap(({ latest, previous }) => [...previous, latest]);
  return new Set(
    records
      .filter(({ endedMs }) => endedMs !== undefined)
      .flatMap(({ commandsB64 }) => commandsOf({ commands_b64: commandsB64 })),
  );
}
