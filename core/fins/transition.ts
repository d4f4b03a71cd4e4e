/** How a fin's state changes. Nothing assigns a state anywhere else. */

import type { Fin, FinState, Fins } from './fin.ts';
import type { FinId } from './ids.ts';

export type FinEvent =
  /** A registration of this fin was accepted. */
  | 'registered'
  /** A message came from it, or it carried out a command. */
  | 'heard'
  /** It did not acknowledge a command in time. */
  | 'silent'
  /** It refused a command. */
  | 'refused'
  /** The connection to the broker was lost while it carried out a command. */
  | 'cut-off'
  /** It acknowledged an order to stop, or unregistered. */
  | 'stopped';

const table: { readonly [State in FinState]: { readonly [Event in FinEvent]: FinState } } = {
  ready: {
    registered: 'ready',
    heard: 'ready',
    silent: 'failed',
    refused: 'failed',
    'cut-off': 'failed',
    stopped: 'stopped',
  },
  failed: {
    registered: 'ready',
    heard: 'ready',
    silent: 'failed',
    refused: 'failed',
    'cut-off': 'failed',
    stopped: 'stopped',
  },
  // Only registering anew brings a stopped fin back; until then it is kept to be seen.
  stopped: {
    registered: 'ready',
    heard: 'stopped',
    silent: 'stopped',
    refused: 'stopped',
    'cut-off': 'stopped',
    stopped: 'stopped',
  },
};

export function transition(state: FinState, event: FinEvent): FinState {
  return table[state][event];
}

/** The registry after the event; the very same one when it changes nothing. */
export function applyEvent(fins: Fins, id: FinId, event: FinEvent): Fins {
  const fin = fins.find((one) => one.id === id);
  if (fin === undefined) return fins;
  const state = transition(fin.state, event);
  if (state === fin.state) return fins;
  return fins.map((one): Fin => (one === fin ? { ...one, state } : one));
}
