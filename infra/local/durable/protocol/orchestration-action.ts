/**
 * What an orchestrator asked for since the start of its generation, parsed from the list the SDK
 * returns. An action this engine does not know ends in a clear failure, so that an SDK upgrade
 * with a new kind of action is noticed at once.
 */

/** Retries as the Durable Task Framework counts them; all durations in milliseconds. */
export type RetryPolicy = {
  readonly maxAttempts: number;
  readonly firstDelayMs: number;
  readonly backoff: number;
  readonly maxDelayMs: number;
  readonly timeoutMs: number;
};

export type ActivityAction = {
  readonly kind: 'activity';
  readonly name: string;
  readonly input: unknown;
  readonly retry: RetryPolicy | undefined;
};

export type ChildAction = {
  readonly kind: 'child';
  readonly name: string;
  readonly input: unknown;
  readonly instanceId: string | undefined;
  readonly version: string | undefined;
  readonly retry: RetryPolicy | undefined;
};

export type TimerAction = {
  readonly kind: 'timer';
  readonly fireAt: number;
  readonly cancelled: boolean;
};

export type Action =
  | ActivityAction
  | ChildAction
  | TimerAction
  | { readonly kind: 'event'; readonly name: string }
  | { readonly kind: 'continueAsNew'; readonly input: unknown }
  | { readonly kind: 'all' | 'any'; readonly children: readonly Action[] };

type Fields = Readonly<Record<string, unknown>>;

/** Parses one action of the SDK. Throws on anything this engine cannot execute. */
export function parseAction(raw: unknown): Action {
  const fields = fieldsOf(raw);
  switch (fields['actionType']) {
    case 0:
      return activity(fields, undefined);
    case 1:
      return activity(fields, parseRetry(fields['retryOptions']));
    case 2:
      return child(fields, undefined);
    case 3:
      return child(fields, parseRetry(fields['retryOptions']));
    case 4:
      return { kind: 'continueAsNew', input: fields['input'] };
    case 5:
      return {
        kind: 'timer',
        fireAt: time(fields['fireAt']),
        cancelled: fields['isCanceled'] === true,
      };
    case 6:
      return { kind: 'event', name: text(fields, 'externalEventName') };
    case 11:
      return { kind: 'any', children: children(fields) };
    case 12:
      return { kind: 'all', children: children(fields) };
    default:
      throw new Error(unsupported(fields['actionType']));
  }
}

/** Number of actions, those inside Task.all and Task.any included. */
export function countActions(actions: readonly Action[]): number {
  let count = actions.length;
  for (const action of actions) {
    if (action.kind === 'all' || action.kind === 'any') count += countActions(action.children);
  }
  return count;
}

function activity(fields: Fields, retry: RetryPolicy | undefined): Action {
  return { kind: 'activity', name: text(fields, 'functionName'), input: fields['input'], retry };
}

function child(fields: Fields, retry: RetryPolicy | undefined): Action {
  return {
    kind: 'child',
    name: text(fields, 'functionName'),
    input: fields['input'],
    instanceId: optionalText(fields['instanceId']),
    version: optionalText(fields['version']),
    retry,
  };
}

function children(fields: Fields): readonly Action[] {
  const list = fields['compoundActions'];
  if (!Array.isArray(list))
    throw new Error('The SDK returned a Task.all or Task.any without tasks.');
  return list.map(parseAction);
}

function parseRetry(raw: unknown): RetryPolicy {
  const fields = fieldsOf(raw);
  return {
    maxAttempts: number(fields['maxNumberOfAttempts'], 1),
    firstDelayMs: number(fields['firstRetryIntervalInMilliseconds'], 1),
    backoff: number(fields['backoffCoefficient'], 1),
    maxDelayMs: number(fields['maxRetryIntervalInMilliseconds'], Number.POSITIVE_INFINITY),
    timeoutMs: number(fields['retryTimeoutInMilliseconds'], Number.POSITIVE_INFINITY),
  };
}

function fieldsOf(raw: unknown): Fields {
  if (typeof raw !== 'object' || raw === null) {
    throw new Error('The SDK returned something that is not an action.');
  }
  return raw as Fields;
}

function text(fields: Fields, name: string): string {
  const value = fields[name];
  if (typeof value !== 'string') throw new Error(`The SDK returned an action without ${name}.`);
  return value;
}

function optionalText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function number(value: unknown, otherwise: number): number {
  return typeof value === 'number' ? value : otherwise;
}

function time(value: unknown): number {
  const ms = value instanceof Date ? value.getTime() : Date.parse(String(value));
  if (Number.isNaN(ms)) throw new Error('A durable timer was created with an invalid date.');
  return ms;
}

function unsupported(type: unknown): string {
  const names: Readonly<Record<string, string>> = {
    7: 'callEntity',
    8: 'callHttp',
    9: 'signalEntity',
    10: 'a scheduled signal to an entity',
    13: 'df.lock',
    14: 'the release of a lock',
  };
  const name = names[String(type)] ?? `action type ${String(type)}`;
  return `The local durable engine does not support ${name}.`;
}
