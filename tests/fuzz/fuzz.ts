/**
 * Posts broken playbooks to a running service and says what is wrong with its answers: a 5xx, an answer that
 * is no JSON, something stored that is not valid or does not come back as it was submitted, growing memory.
 */

import { residentMb } from '../bench/resident.ts';
import { type Client, clientOf, type Reply } from '../support/client.ts';
import { createRandom, type Random } from '../support/random.ts';
import { startService } from '../support/service.ts';
import { mutated } from './mutate.ts';
import { seedPlaybooks } from './seed-playbooks.ts';

export type FuzzOptions = { readonly seed: number; readonly mutations: number };

export type FuzzResult = {
  /** How many mutations were stored as they were, or as drafts. */
  readonly stored: number;
  readonly drafts: number;
  readonly executed: number;
  /** Resident memory after a fifth of the mutations, and after all. */
  readonly memoryMb: { readonly early: number; readonly late: number };
  /** Sentences, at most twenty; empty when all is well. */
  readonly wrong: readonly string[];
};

const environment = {
  LOG_GLOBAL_LEVEL: 'error',
  MAX_EXECUTIONS: '100',
  // Whatever a mutation makes of an address, nothing leaves this machine.
  EGRESS_ALLOW: '127.0.0.1',
  // Bounds what the allocators keep for themselves, so that growth is what the service keeps.
  MALLOC_ARENA_MAX: '1',
  NODE_OPTIONS: '--max-semi-space-size=8',
};

const AT_ONCE = 4;
const SENTENCES = 20;

export async function fuzz({ seed, mutations }: FuzzOptions): Promise<FuzzResult> {
  const service = await startService({ environment });
  const tally = { stored: 0, drafts: 0, executed: 0, wrong: [] as string[] };
  try {
    const playbooks = seedPlaybooks(seed);
    const ask = clientOf(service.url);
    let next = 0;
    const postUpTo = async (limit: number) => {
      const worker = async () => {
        while (next < limit && tally.wrong.length < SENTENCES) {
          const at = next++;
          const random = createRandom(seed * 1_000_003 + at);
          const playbook = playbooks[random.between(0, playbooks.length - 1)];
          if (playbook !== undefined) await post(at, mutated(playbook, random), random);
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, worker));
    };
    const post = async (at: number, text: string, random: Random) => {
      const sentences = await tried(ask, text, random, tally);
      for (const sentence of sentences) tally.wrong.push(`mutation ${at}: ${sentence}: ${text}`);
    };
    await postUpTo(Math.ceil(mutations / 5));
    const early = residentMb(service.pid);
    await postUpTo(mutations);
    const late = residentMb(service.pid);
    const errors = service.lines.filter((line) => /"level":"(error|fatal|panic)"/.test(line));
    for (const line of errors) tally.wrong.push(`logged: ${line}`);
    return { ...tally, memoryMb: { early, late } };
  } finally {
    await service.dispose();
  }
}

type Tally = { stored: number; drafts: number; executed: number };

/** One mutation through its life: validated, stored, read, perhaps executed, removed. */
async function tried(
  ask: Client,
  text: string,
  random: Random,
  tally: Tally,
): Promise<readonly string[]> {
  const wrong: string[] = [];
  const checked = async (method: string, path: string, body?: string) => {
    const headers = { prefer: 'respond-async' };
    const reply = await ask(method, path, { headers, ...(body === undefined ? {} : { body }) });
    wrong.push(...unfit(`${method} ${path}`, reply));
    return reply;
  };
  const verdict = (await checked('POST', '/validation', text)).json;
  const added = await checked('POST', '/playbook?lenient=true', text);
  const accepts = verdict?.valid === true || verdict?.draft === true;
  // Another worker may have stored a mutation with the same id.
  if (added.status === 409) return wrong;
  if ((added.status === 201) !== accepts) {
    wrong.push(`the validation said ${verdict?.valid}, the store ${added.status}`);
  }
  if (added.status !== 201) return wrong;
  tally.stored += 1;
  if (verdict.draft) tally.drafts += 1;
  const path = `/playbook/${encodeURIComponent(added.json.id)}`;
  const read = await checked('GET', path);
  if (read.text !== JSON.stringify(JSON.parse(text.replace(/^\uFEFF/, '')))) {
    wrong.push('what was stored does not come back as it was submitted');
  }
  if (random.next() < 0.2) {
    const begun = await checked('POST', `/trigger${path}`);
    if (begun.json?.['execution-id'] !== undefined) {
      tally.executed += 1;
      await checked('POST', `/execution/${begun.json['execution-id']}/cancel`);
    } else if (verdict.valid) wrong.push(`the trigger of a valid playbook met ${begun.status}`);
  }
  await checked('DELETE', path);
  return wrong;
}

function unfit(call: string, { status, json, text }: Reply): readonly string[] {
  if (status >= 500) return [`${call} was answered ${status} ${text}`];
  const isError = status >= 400;
  if (isError && json?.status !== String(status)) return [`${call}: no error object but ${text}`];
  return [];
}
