import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { DurableEngine } from '../../../../../infra/local/durable/engine/durable-engine.ts';
import { azureTimerLimits } from '../../../../../infra/local/durable/protocol/timer-limits.ts';
import { DurableStore } from '../../../../../infra/local/durable/store/durable-store.ts';
import { appCaller } from '../fixture/functions-app.ts';
import { defaultOptions } from '../fixture/host-defaults.ts';
import { activityRuns, isGateWaiting, openGate } from '../fixture/orchestrations.ts';
import { recordingLog } from '../fixture/recording-log.ts';
import { eventually } from '../fixture/test-host.ts';

/** Fails where a full disk would: at the commit, after all writes. */
class FullDisk extends DurableStore {
  isFull = false;

  override transaction<T>(work: () => T): T {
    return super.transaction(() => {
      const result = work();
      if (this.isFull) throw new Error('disk full');
      return result;
    });
  }
}

test('while nothing can be written nothing is lost, and work goes on when it can', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'durable-'));
  const options = { ...defaultOptions, databasePath: join(folder, 'durable.db') };
  const store = new FullDisk(options.databasePath, 'NORMAL');
  const log = recordingLog();
  const timerLimits = azureTimerLimits;
  const parts = { store, caller: appCaller(), options, timerLimits, now: Date.now, log };
  const engine = new DurableEngine(parts);
  onTestFinished(async () => {
    await engine.stop(0);
    rmSync(folder, { recursive: true });
  });
  engine.start();
  const input = JSON.stringify({ keys: ['first', 'second'] });
  engine.begin({ id: 'i', name: 'gatesInTurn', version: null, input, parent: null });
  await eventually(() => isGateWaiting('first') || undefined);

  store.isFull = true;
  openGate('first');
  await eventually(() => log.lines.find(({ level }) => level === 'error'));
  store.isFull = false;
  await eventually(() => isGateWaiting('second') || undefined);
  openGate('second');
  await engine.whenEnded('i', 5000);

  expect(store.instances.find('i')).toMatchObject({ status: 'Completed', output: '"done"' });
  expect(activityRuns).toEqual(['first', 'second']);
});
