/** Runs python-fin.py, a fin made of the parts that fins in Python are made of. */

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { peer } from '../require-peer.ts';

const python = '/usr/bin/python3';

function hasModules(): boolean {
  if (!existsSync(python)) return false;
  try {
    execFileSync(python, ['-c', 'import paho.mqtt.client, pydantic'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

/** Whether tests that need Python's MQTT client and models are to be skipped. */
export const skipPythonFin: boolean = peer(
  'python3-paho-mqtt',
  'apt-get install python3-paho-mqtt python3-pydantic',
  hasModules(),
);

/** A message as it came, and as its model holds it or refused it. */
export type PythonLine = {
  readonly topic: string;
  readonly raw: string;
  readonly model?: { readonly [name: string]: unknown };
  readonly error?: string;
};

export class PythonFin {
  readonly lines: PythonLine[] = [];
  readonly #process: ChildProcess;
  readonly #events = new EventEmitter();
  #errors = '';

  constructor(port: number, serviceTopic: string, finId: string, capabilityId: string) {
    const program = join(import.meta.dirname, 'python-fin.py');
    const child = spawn(python, [program, `${port}`, serviceTopic, finId, capabilityId], {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    this.#process = child;
    child.stderr.on('data', (bytes: Buffer) => {
      this.#errors += bytes.toString();
    });
    createInterface(child.stdout).on('line', (line) => {
      this.lines.push(JSON.parse(line) as PythonLine);
      this.#events.emit('line');
    });
  }

  /** The first message of this type, heard already or within ten seconds. */
  async hears(type: string): Promise<PythonLine> {
    const signal = AbortSignal.timeout(10_000);
    for (;;) {
      const found = this.lines.find(({ raw }) => JSON.parse(raw).type === type);
      if (found !== undefined) return found;
      await once(this.#events, 'line', { signal }).catch(() => {
        throw new Error(`The fin heard no ${type}. ${this.#errors}`);
      });
    }
  }

  async stop(): Promise<void> {
    if (this.#process.exitCode !== null || this.#process.signalCode !== null) return;
    const ended = once(this.#process, 'exit');
    this.#process.kill('SIGKILL');
    await ended;
  }
}
