/** What Caldera accepts in the bodies of its REST API, version 2; anything else is refused with a status. */

export type Body = { [key: string]: unknown };

export class Refused extends Error {
  readonly status: number;

  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

const abilityFields = [
  'ability_id name description tactic technique_id technique_name executors requirements privilege',
  'repeatable buckets additional_info access singleton plugin delete_payload',
]
  .join(' ')
  .split(' ');
const plainName = /^[a-zA-Z0-9_-]+$/;

export function checkAbility(body: Body): Body {
  onlyKnown(body, abilityFields);
  demand(text(body['name']), 'Cannot create ability due to missing name');
  demand(text(body['tactic']), 'Cannot create ability due to missing tactic');
  demand(plainName.test(String(body['tactic'])), 'Invalid ability tactic');
  const executors = body['executors'];
  demand(Array.isArray(executors) && executors.length > 0, 'at least one executor required');
  for (const executor of executors as Body[]) {
    demand(
      text(executor['platform']) && text(executor['name']),
      'an executor needs platform and name',
    );
  }
  return body;
}

export function checkAdversary(body: Body, abilities: ReadonlyMap<string, Body>): Body {
  onlyKnown(body, [
    'adversary_id',
    'name',
    'description',
    'atomic_ordering',
    'objective',
    'tags',
    'plugin',
  ]);
  demand(text(body['name']), 'an adversary needs a name');
  const ordering = body['atomic_ordering'];
  demand(Array.isArray(ordering), 'atomic_ordering is a list');
  for (const id of ordering as string[]) demand(abilities.has(id), `no ability ${id}`);
  return body;
}

export function checkOperation(body: Body, adversaries: ReadonlyMap<string, Body>): Body {
  onlyKnown(body, [
    'name',
    'group',
    'adversary',
    'autonomous',
    'auto_close',
    'planner',
    'source',
    'jitter',
  ]);
  demand(text(body['name']) && text(body['group']), 'an operation needs name and group');
  demand(typeof body['autonomous'] === 'number', 'autonomous is a number');
  demand(typeof body['auto_close'] === 'boolean', 'auto_close is a boolean');
  const adversary = body['adversary'] as Body | undefined;
  demand(adversaries.has(String(adversary?.['adversary_id'])), 'no such adversary');
  return body;
}

export function checkPatch(body: Body): Body {
  onlyKnown(body, ['state', 'autonomous', 'obfuscator']);
  const states = ['running', 'paused', 'finished', 'out_of_time', 'run_one_link', 'cleanup'];
  demand(states.includes(String(body['state'])), 'state must be one of the known states');
  return body;
}

function onlyKnown(body: Body, fields: readonly string[]): void {
  const unknown = Object.keys(body).filter((key) => !fields.includes(key));
  if (unknown.length > 0) throw new Refused(422, `Unknown field: ${unknown.join(', ')}`);
}

function text(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function demand(condition: boolean, message: string): void {
  if (!condition) throw new Refused(400, message);
}
