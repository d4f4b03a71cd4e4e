/**
 * Ends a command that is running on a target. Closing the channel is not enough: sshd leaves the command
 * alone then. First its process group gets signals over its channel (RFC 4254, section 6.9); a server that
 * refuses them (OpenSSH does for root) is asked, in a second channel, to signal the commands of this
 * connection, of which there is only the one.
 */

import type { Client, ClientChannel } from 'ssh2';

/** How long each measure may take to work. */
const graceMs = 1_000;

/** Answers whether the command ended; `exited` tells when it does. Takes at most three times the grace. */
export async function endRemoteCommand(
  client: Client,
  channel: ClientChannel,
  exited: Promise<unknown>,
): Promise<boolean> {
  const measures = [
    () => sendSignal(channel, 'TERM'),
    () => signalOverSecondChannel(client, 'TERM'),
    () => {
      sendSignal(channel, 'KILL');
      signalOverSecondChannel(client, 'KILL');
    },
  ];
  for (const take of measures) {
    take();
    if (await happensWithin(exited, graceMs)) return true;
  }
  return false;
}

/** Whether `event` comes before the time is over. */
export async function happensWithin(event: Promise<unknown>, timeMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<false>((resolve) => {
    timer = setTimeout(resolve, timeMs, false);
  });
  return Promise.race([event.then(() => true), late]).finally(() => clearTimeout(timer));
}

/**
 * The library sends no signals once our end of the input is closed, which we do at once so that no
 * command waits for input. RFC 4254, section 5.3 allows requests after EOF: hide the EOF while sending.
 */
function sendSignal(channel: ClientChannel, name: 'TERM' | 'KILL'): void {
  const outgoing: unknown = Reflect.get(channel, 'outgoing');
  if (typeof outgoing !== 'object' || outgoing === null) return;
  const before: unknown = Reflect.get(outgoing, 'state');
  if (before !== 'open' && before !== 'eof') return;
  Reflect.set(outgoing, 'state', 'open');
  channel.signal(name);
  Reflect.set(outgoing, 'state', before);
}

/** Fails silently: the server may allow one channel only, or have no shell. */
function signalOverSecondChannel(client: Client, name: 'TERM' | 'KILL'): void {
  try {
    client.exec(signalSiblings(name), (error, channel) => {
      if (error !== undefined) return;
      channel.on('error', () => {});
      channel.resume();
      channel.stderr.resume();
      channel.eof();
    });
  } catch {
    // The connection is gone.
  }
}

/**
 * OpenSSH and dropbear run a process per connection, so the commands of this connection are the siblings
 * of the shell. A server that is one process for everybody has another name and is left alone. `exec`
 * makes sure that no login shell of another kind stands between.
 */
function signalSiblings(name: string): string {
  return (
    "exec sh -c '" +
    'case "$({ cat /proc/$PPID/comm || ps -o comm= -p $PPID; } 2>/dev/null)" in ' +
    '*sshd*|*dropbear*) { ps -A -o pid= -o ppid= || ps -o pid,ppid; } 2>/dev/null | ' +
    'while read pid ppid; do [ "$ppid" = "$PPID" ] && [ "$pid" != "$$" ] && ' +
    `kill -s ${name} -- "-$pid"; done;; esac'`
  );
}
