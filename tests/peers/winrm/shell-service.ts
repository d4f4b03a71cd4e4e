/**
 * The Windows remote shell behind the WinRM peer: WS-Management requests in, answers out. Written from
 * DSP0226 and MS-WSMV, and strict: a request that breaks a rule is answered with a fault that names it.
 */

import { randomUUID } from 'node:crypto';
import { readXml, type XmlElement } from '../../../infra/capabilities/powershell/wsman/xml.ts';
import { answerEnvelope, escapeText, faultEnvelope, ns } from './envelopes.ts';

/** What a scripted command does. Output comes in the given pieces, one per receive. */
export type Behaviour = {
  readonly stdout?: readonly Uint8Array[];
  readonly stderr?: readonly Uint8Array[];
  readonly exitCode?: number;
  /** How often a receive times out on the target before anything happens. */
  readonly operationTimeouts?: number;
  /** Runs until it is told to terminate. */
  readonly endless?: boolean;
  /** Called when an endless command is being waited for. */
  readonly onWait?: () => void;
  /** The target refuses to start it. */
  readonly fault?: string;
};

/** What the peer was asked to start; `script` is decoded from -EncodedCommand. */
export type Started = { readonly program: string; readonly line: string; readonly script: string };

export type ShellReply = { readonly status: number; readonly xml: string };

export interface ShellService {
  /** Resolves late for an endless command; `gone` is aborted when the caller hangs up. */
  handle(xml: string, gone: AbortSignal): Promise<ShellReply>;
  /** The actions asked for, in order, by their last word. */
  readonly log: string[];
  readonly started: Started[];
  openShells(): number;
}

type Running = {
  readonly behaviour: Behaviour;
  readonly stdout: Uint8Array[];
  readonly stderr: Uint8Array[];
  timeouts: number;
  readonly terminated: AbortController;
};
type Header = {
  readonly action: string;
  readonly messageId: string;
  readonly shellId: string | undefined;
};
type Shell = Map<string, Running>;

const TIMED_OUT = '2150858793';
const INVALID = '2150858752';

/** A rule of the protocol was broken. */
class Violation extends Error {}

export function createShellService(run: (started: Started) => Behaviour): ShellService {
  const shells = new Map<string, Shell>();
  const seen = new Set<string>();
  const log: string[] = [];
  const started: Started[] = [];

  function create(body: XmlElement, header: XmlElement): string {
    const shell = child(body, ns.shell, 'Shell');
    demand(child(shell, ns.shell, 'InputStreams').text === 'stdin', 'input stream stdin');
    demand(child(shell, ns.shell, 'OutputStreams').text === 'stdout stderr', 'output streams');
    demand(/^\d+$/.test(options(header).get('WINRS_CODEPAGE') ?? ''), 'a code page');
    const id = randomUUID().toUpperCase();
    shells.set(id, new Map());
    return (
      `<x:ResourceCreated><a:Address>http://peer/wsman</a:Address><a:ReferenceParameters>` +
      `<w:ResourceURI>${ns.shell}/cmd</w:ResourceURI><w:SelectorSet><w:Selector Name="ShellId">${id}` +
      '</w:Selector></w:SelectorSet></a:ReferenceParameters></x:ResourceCreated>' +
      `<rsp:Shell><rsp:ShellId>${id}</rsp:ShellId><rsp:State>Connected</rsp:State></rsp:Shell>`
    );
  }

  function command(shell: Shell, body: XmlElement, header: XmlElement): string {
    const line = child(body, ns.shell, 'CommandLine');
    const program = child(line, ns.shell, 'Command').text;
    const given = line.children.filter(({ name }) => name === 'Arguments').map(({ text }) => text);
    const whole = [program, ...given].join(' ');
    const direct = options(header).get('WINRS_SKIP_CMD_SHELL') === 'TRUE';
    demand(whole.length <= (direct ? 32_767 : 8_191), 'a command line short enough');
    const entry = { program, line: whole, script: decodeScript(whole) };
    started.push(entry);
    const behaviour = run(entry);
    if (behaviour.fault !== undefined) throw new Violation(behaviour.fault);
    const id = randomUUID().toUpperCase();
    shell.set(id, {
      behaviour,
      stdout: [...(behaviour.stdout ?? [])],
      stderr: [...(behaviour.stderr ?? [])],
      timeouts: behaviour.operationTimeouts ?? 0,
      terminated: new AbortController(),
    });
    return `<rsp:CommandResponse><rsp:CommandId>${id}</rsp:CommandId></rsp:CommandResponse>`;
  }

  async function receive(
    shell: Shell,
    body: XmlElement,
    gone: AbortSignal,
  ): Promise<string | undefined> {
    const wanted = child(child(body, ns.shell, 'Receive'), ns.shell, 'DesiredStream');
    demand(wanted.text.trim() === 'stdout stderr', 'both streams to be desired');
    const id = wanted.attributes.get('CommandId') ?? '';
    const running = shell.get(id);
    if (running === undefined) throw new Violation('there is no such command');
    if (running.timeouts > 0) {
      running.timeouts -= 1;
      return undefined;
    }
    if (running.behaviour.endless === true) {
      running.behaviour.onWait?.();
      await aborted(AbortSignal.any([running.terminated.signal, gone]));
    }
    return `<rsp:ReceiveResponse>${nextPieces(id, running)}</rsp:ReceiveResponse>`;
  }

  function signal(shell: Shell, body: XmlElement): string {
    const asked = child(body, ns.shell, 'Signal');
    demand(
      child(asked, ns.shell, 'Code').text === `${ns.shell}/signal/terminate`,
      'a known signal',
    );
    const running = shell.get(asked.attributes.get('CommandId') ?? '');
    if (running === undefined) throw new Violation('there is no such command');
    running.terminated.abort();
    return '<rsp:SignalResponse/>';
  }

  async function act(header: Header, head: XmlElement, body: XmlElement, gone: AbortSignal) {
    if (header.action === `${ns.transfer}/Create`) {
      demand(header.shellId === undefined, 'no selector on create');
      return create(body, head);
    }
    const shell = shells.get(header.shellId ?? '');
    if (shell === undefined) throw new Violation('the shell was not found');
    if (header.action === `${ns.shell}/Command`) return command(shell, body, head);
    if (header.action === `${ns.shell}/Receive`) return receive(shell, body, gone);
    if (header.action === `${ns.shell}/Signal`) return signal(shell, body);
    demand(header.action === `${ns.transfer}/Delete`, 'a known action');
    demand(body.children.length === 0, 'an empty body on delete');
    shells.delete(header.shellId ?? '');
    return '';
  }

  return {
    log,
    started,
    openShells: () => shells.size,
    async handle(xml, gone) {
      let messageId = '';
      try {
        const root = readXml(xml);
        demand(root?.name === 'Envelope' && root.namespace === ns.soap, 'a SOAP 1.2 envelope');
        const head = child(root, ns.soap, 'Header');
        const header = readHeader(head, seen);
        messageId = header.messageId;
        const verb = header.action.slice(header.action.lastIndexOf('/') + 1);
        log.push(verb);
        const body = await act(header, head, child(root, ns.soap, 'Body'), gone);
        if (body === undefined)
          return faultEnvelope(messageId, 'w:TimedOut', TIMED_OUT, 'timed out');
        return { status: 200, xml: answerEnvelope(messageId, header.action, body) };
      } catch (error) {
        if (!(error instanceof Violation)) throw error;
        return faultEnvelope(messageId, 'w:InvalidParameter', INVALID, error.message);
      }
    },
  };
}

function readHeader(head: XmlElement, seen: Set<string>): Header {
  const text = (namespace: string, name: string) => child(head, namespace, name).text.trim();
  const messageId = text(ns.addressing, 'MessageID');
  demand(
    /^uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(messageId),
    'a message id of form uuid:...',
  );
  demand(!seen.has(messageId), 'a message id not used before');
  seen.add(messageId);
  demand(/^https?:\/\/.+\/wsman$/.test(text(ns.addressing, 'To')), 'an address in To');
  const replyTo = child(child(head, ns.addressing, 'ReplyTo'), ns.addressing, 'Address').text;
  demand(replyTo === `${ns.addressing}/role/anonymous`, 'an anonymous ReplyTo');
  demand(text(ns.wsman, 'ResourceURI') === `${ns.shell}/cmd`, 'the resource of the command shell');
  demand(Number(text(ns.wsman, 'MaxEnvelopeSize')) >= 8_192, 'an envelope size of 8192 or more');
  demand(/^PT\d+(\.\d+)?S$/.test(text(ns.wsman, 'OperationTimeout')), 'an operation timeout');
  const set = head.children.find(
    ({ name, namespace }) => name === 'SelectorSet' && namespace === ns.wsman,
  );
  const selector = set === undefined ? undefined : child(set, ns.wsman, 'Selector');
  demand(
    selector === undefined || selector.attributes.get('Name') === 'ShellId',
    'the selector ShellId',
  );
  return { action: text(ns.addressing, 'Action'), messageId, shellId: selector?.text };
}

function nextPieces(id: string, running: Running): string {
  const streams = (['stdout', 'stderr'] as const).map((name) => {
    const piece = running[name].shift();
    const data = piece === undefined ? '' : Buffer.from(piece).toString('base64');
    return data === '' ? '' : `<rsp:Stream Name="${name}" CommandId="${id}">${data}</rsp:Stream>`;
  });
  const more = running.stdout.length + running.stderr.length > 0;
  const ended = `<rsp:ExitCode>${running.behaviour.exitCode ?? 0}</rsp:ExitCode>`;
  const state = `${ns.shell}/CommandState/${more ? 'Running' : 'Done'}`;
  const closing = `<rsp:CommandState CommandId="${id}" State="${state}">${more ? '' : ended}</rsp:CommandState>`;
  return streams.join('') + closing;
}

function decodeScript(line: string): string {
  const encoded = /-EncodedCommand\s+(\S*)/i.exec(line)?.[1];
  if (encoded === undefined) return '';
  const bytes = Buffer.from(encoded, 'base64');
  demand(bytes.toString('base64') === encoded && bytes.length % 2 === 0, 'base64 of UTF-16LE');
  return bytes.toString('utf16le');
}

function options(head: XmlElement): ReadonlyMap<string, string> {
  const set = child(head, ns.wsman, 'OptionSet');
  return new Map(set.children.map(({ attributes, text }) => [attributes.get('Name') ?? '', text]));
}

function child(parent: XmlElement, namespace: string, name: string): XmlElement {
  const found = parent.children.find(
    (element) => element.name === name && element.namespace === namespace,
  );
  if (found === undefined) throw new Violation(`${escapeText(name)} is missing`);
  return found;
}

function demand(condition: boolean, what: string): asserts condition {
  if (!condition) throw new Violation(`the peer expects ${what}`);
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
