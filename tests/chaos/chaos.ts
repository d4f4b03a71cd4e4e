/**
 * Kills the service at random moments until enough kills have hit work in progress, lets everything end,
 * and says what is wrong: compared with the same playbooks executed in peace, with what was recorded at
 * each death, and with what the target and the operator saw.
 */

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { allReports } from '../../core/execution/operations/report.ts';
import { createSqliteStores } from '../../infra/stores/sqlite/create-sqlite-stores.ts';
import { type Client, clientOf, until } from '../support/client.ts';
import { createRandom, type Random } from '../support/random.ts';
import { restartService, type Service, startArguments, startService } from '../support/service.ts';
import { aChaosPlaybook, type ChaosPlaybook } from './chaos-playbook.ts';
import { type ChaosTarget, startChaosTarget } from './chaos-target.ts';
import { type Operator, startOperator } from './operator.ts';
import { outcomeOf, type ReportWire, recordedCommands, restartsIn } from './outcomes.ts';

export type ChaosOptions = {
  readonly seed: number;
  /** Executions at least; more are begun when the kills would find nothing left to interrupt. */
  readonly runs: number;
  readonly kills: number;
  readonly say?: (line: string) => void;
};

export type ChaosResult = {
  readonly executions: number;
  readonly kills: number;
  readonly commands: number;
  /** Commands that reached the target more than once. */
  readonly repeated: number;
  readonly answers: number;
  /** Sentences; empty when all is well. */
  readonly wrong: readonly string[];
};

const environment = { PARALLEL_BRANCHES: 'concurrent', LOG_GLOBAL_LEVEL: 'error' };
const OPEN_AT_LEAST = 3;
const END_LIMIT_MS = 60_000;

export async function wreak(options: ChaosOptions): Promise<ChaosResult> {
  const target = await startChaosTarget();
  const calm = await startChaosTarget();
  const site = await Site.open(options, target);
  try {
    while (site.kills < options.kills) await site.killOnce();
    await site.beginUntil(options.runs);
    const reports = await site.allEnded();
    const wrong = [
      ...site.wrong,
      ...repeatedUnmarked(target, reports),
      ...site.operator.askedAgain.map((key) => `Asked again although answered: ${key}`),
      ...(await differences(site, options, calm)),
    ];
    const arrivals = [...target.arrivals().values()];
    return {
      executions: site.begun.size,
      kills: site.kills,
      commands: arrivals.length,
      repeated: arrivals.filter((count) => count > 1).length,
      answers: site.operator.accepted.size,
      wrong,
    };
  } finally {
    await site.close();
    await target.close();
    await calm.close();
  }
}

class Site {
  readonly wrong: string[] = [];
  /** Execution ids by the names of their playbooks. */
  readonly begun = new Map<string, string>();
  readonly operator: Operator;
  kills = 0;
  readonly #options: ChaosOptions;
  readonly #target: ChaosTarget;
  readonly #random: Random;
  #service: Service;
  #isUp = true;

  static async open(options: ChaosOptions, target: ChaosTarget): Promise<Site> {
    return new Site(options, target, await startService({ environment }));
  }

  private constructor(options: ChaosOptions, target: ChaosTarget, service: Service) {
    this.#options = options;
    this.#target = target;
    this.#service = service;
    this.#random = createRandom(options.seed);
    this.operator = startOperator(() => (this.#isUp ? this.#service.url : undefined));
  }

  get ask(): Client {
    return clientOf(this.#service.url);
  }

  /** Tops up what is going on, waits a random while, kills, and starts again. */
  async killOnce(): Promise<void> {
    const { runs, kills, say } = this.#options;
    const due = Math.ceil((runs * (this.kills + 1)) / kills);
    await this.beginUntil(due);
    while ((await this.#open()) < OPEN_AT_LEAST) await this.beginUntil(this.begun.size + 1);
    const waitMs = this.#random.between(0, 400);
    await delay(waitMs);
    this.#isUp = false;
    await this.#service.kill();
    if (this.#random.next() < 0.3) {
      await killWhileStarting(this.#service, this.#random.between(50, 500));
    }
    const recorded = await this.#recorded();
    const arrived = this.#target.received.length;
    this.#service = await restartService(this.#service, environment);
    this.#isUp = true;
    this.kills += 1;
    say?.(`kill ${this.kills} after ${waitMs} ms: ${recorded.size} commands recorded`);
    this.#checks.push(() => {
      for (const text of this.#target.arrivals(arrived).keys()) {
        if (recorded.has(text)) this.wrong.push(`Recorded before kill, sent after it: ${text}`);
      }
    });
  }

  async beginUntil(count: number): Promise<void> {
    while (this.begun.size < count) {
      const name = `r${this.begun.size}`;
      const chaos = chaosPlaybook(this.#options.seed, name, this.#target.url);
      this.begun.set(name, await begin(this.ask, chaos));
    }
  }

  /** The reports of all executions, children included, once none goes on. */
  async allEnded(): Promise<readonly ReportWire[]> {
    await until(
      () => this.#open(),
      (open) => open === 0,
      END_LIMIT_MS,
    );
    for (const check of this.#checks) check();
    return (await this.ask('GET', '/reporter')).json;
  }

  async close(): Promise<void> {
    await this.operator.stop();
    await this.#service.dispose();
  }

  readonly #checks: (() => void)[] = [];

  async #open(): Promise<number> {
    return (await this.ask('GET', '/status/playbook')).json.length;
  }

  /** Read from the store of the dead process, before the next one takes it up. */
  async #recorded(): Promise<ReadonlySet<string>> {
    const path = `${this.#service.dataDirectory}/theobroma.db`;
    const stores = createSqliteStores({ path, synchronous: 'normal' });
    try {
      return recordedCommands(await allReports(stores));
    } finally {
      await stores.close();
    }
  }
}

/** A start that does not get far: killed while it takes up what the last process left. */
async function killWhileStarting({ dataDirectory }: Service, afterMs: number): Promise<void> {
  const env = { PATH: process.env['PATH'], PORT: '0', DATA_DIR: dataDirectory, ...environment };
  const child = spawn(process.execPath, startArguments, { stdio: 'ignore', env });
  const ended = once(child, 'exit');
  await delay(afterMs);
  child.kill('SIGKILL');
  await ended;
}

function chaosPlaybook(seed: number, name: string, url: string): ChaosPlaybook {
  return aChaosPlaybook(name, url, createRandom(seed + 1_000 * (1 + Number(name.slice(1)))));
}

async function begin(ask: Client, { name, playbook, child }: ChaosPlaybook): Promise<string> {
  await ask('POST', '/playbook', { body: child });
  const headers = { prefer: 'respond-async', 'idempotency-key': name };
  const { status, json, text } = await ask('POST', '/trigger/playbook', {
    body: playbook,
    headers,
  });
  if (status !== 202 && status !== 200) throw new Error(`The trigger of ${name} failed: ${text}`);
  return json['execution-id'];
}

/** A command that arrived more than once is marked with at least as many interruptions. */
function repeatedUnmarked(target: ChaosTarget, reports: readonly ReportWire[]): readonly string[] {
  const restarts = restartsIn(reports);
  return [...target.arrivals()].flatMap(([text, count]) => {
    const marked = restarts.get(text);
    if (marked === undefined) return [`In no report: ${text}`];
    return count > marked + 1 ? [`Sent ${count} times, marked ${marked}: ${text}`] : [];
  });
}

/** The same playbooks, executed by a service nobody kills, must end the same. */
async function differences(
  site: Site,
  { seed }: ChaosOptions,
  calm: ChaosTarget,
): Promise<readonly string[]> {
  const service = await startService({ environment });
  const operator = startOperator(() => service.url);
  try {
    const ask = clientOf(service.url);
    const wrong: string[] = [];
    const ids = new Map<string, string>();
    for (const name of site.begun.keys()) {
      ids.set(name, await begin(ask, chaosPlaybook(seed, name, calm.url)));
    }
    await until(
      async () => (await ask('GET', '/status/playbook')).json.length,
      (open) => open === 0,
      END_LIMIT_MS,
    );
    for (const [name, id] of ids) {
      const expected = JSON.stringify(sorted(await outcomeOf(ask, id)));
      const found = JSON.stringify(sorted(await outcomeOf(site.ask, site.begun.get(name) ?? '')));
      if (found !== expected) wrong.push(`${name} ended as ${found}, in peace as ${expected}`);
    }
    return wrong;
  } finally {
    await operator.stop();
    await service.dispose();
  }
}

/** Members in the order of their names. */
function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).toSorted(([left], [right]) => (left < right ? -1 : 1));
  return Object.fromEntries(entries.map(([name, member]) => [name, sorted(member)]));
}
