/** Registers everything the host may call. This file is the bundle's entry and package.json's `main`. */

import { app, type HttpMethod } from '@azure/functions';
import * as df from 'durable-functions';
import { readEnvironment } from '../core/config/environment.ts';
import { readConfig } from '../core/config/read-config.ts';
import { turnActivity } from './activities/turn.ts';
import { type Composition, compose } from './composition.ts';
import { handle } from './http/handle.ts';
import { routes } from './http/routes.ts';
import { unmatched } from './http/unmatched.ts';
import { walkExecution } from './orchestrators/execution.ts';
import { executionName, turnName } from './orchestrators/names.ts';
import { finDrainSchedule, finDrainTimer } from './timers/fin-drain.ts';
import { reconcileSchedule, reconcileTimer } from './timers/reconcile.ts';

/** After the first callers of a cold start have been answered. */
const WARM_UP_DELAY_MS = 1_000;

// A bad value stops the start here, before anything is registered.
const config = readConfig(readEnvironment());

let composition: Promise<Composition> | undefined;
const ready = () => (composition ??= compose(config));

app.hook.appStart(async () => {
  const { bench } = await ready();
  // Compiles the schema while nobody waits, so that the first playbook need not.
  setTimeout(() => bench.check({}), WARM_UP_DELAY_MS).unref();
});
app.hook.appTerminate(async () => {
  await (await composition)?.close();
});

for (const route of routes) {
  app.http(route.name, {
    route: route.path,
    methods: route.method === 'GET' ? ['GET', 'HEAD'] : [route.method],
    // Callers are checked by the handlers (spec, Authentication), not by function keys.
    authLevel: 'anonymous',
    ...(route.durable === undefined ? {} : { extraInputs: [df.input.durableClient()] }),
    handler: handle(ready, route, routes),
  });
}

const everyMethod: HttpMethod[] = [
  'GET',
  'HEAD',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'OPTIONS',
  'TRACE',
];

// The host tries functions in the order of their names, so this one has to sort last.
app.http('zz-unmatched', {
  route: '{*path}',
  methods: everyMethod,
  authLevel: 'anonymous',
  handler: unmatched(ready, routes),
});

df.app.orchestration(executionName, walkExecution);
df.app.activity(turnName, { handler: turnActivity(ready) });

app.timer('reconcile', {
  schedule: reconcileSchedule,
  runOnStartup: true,
  extraInputs: [df.input.durableClient()],
  handler: reconcileTimer(ready),
});

// Where a connection to the broker always stands, there is nothing to fetch.
if (config.fins?.listener === 'timer') {
  app.timer('fin-drain', { schedule: finDrainSchedule, handler: finDrainTimer(ready) });
}
