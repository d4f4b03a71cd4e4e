/** What the journey of the history through JSON costs, which the embedded host spares itself. */

import type { Part } from '../figure.ts';
import { inTurns, stepMs, withSqlite } from './stores.ts';

export const routes: Part = {
  name: 'routes',
  says:
    'The same chain in process, with orchestration histories and activity inputs handed to the SDK as ' +
    'JSON text, as on Azure, and as live objects, as the embedded host does by default. In turns, best of three rounds.',
  async run() {
    const by = (route: 'json' | 'live') => () =>
      withSqlite((stores) => stepMs({ stores, durable: { route } }));
    const [json, live] = await inTurns(by('json'), by('live'));
    return [
      { what: 'per step, JSON route', value: json, unit: 'ms' },
      { what: 'per step, live objects', value: live, unit: 'ms' },
      { what: 'JSON over live', value: json / live, unit: 'x' },
    ];
  },
};
