/** Reads the answers of the Windows remote shell. Every reader answers undefined for what it does not know. */

import { namespaces, STATE_DONE } from './vocabulary.ts';
import { findElement, readXml, type XmlElement } from './xml.ts';

export type Answer = { readonly relatesTo: string | undefined; readonly body: XmlElement };

export type Fault = {
  /** Decimal Windows error code of the detail, such as 2150858793. */
  readonly code: string | undefined;
  /** A sentence in the words of the target. */
  readonly reason: string;
};

export type Received = {
  readonly stdout: readonly Buffer[];
  readonly stderr: readonly Buffer[];
  /** Present once the command has ended. */
  readonly done?: { readonly exitCode: number | undefined };
};

/** The message id answered to, and the body. */
export function readAnswer(text: string): Answer | undefined {
  const root = readXml(text);
  if (root?.name !== 'Envelope' || root.namespace !== namespaces.soap) return undefined;
  const body = root.children.find(
    ({ name, namespace }) => name === 'Body' && namespace === namespaces.soap,
  );
  if (body === undefined) return undefined;
  const relatesTo = findElement(root, namespaces.addressing, 'RelatesTo')?.text.trim();
  return { relatesTo, body };
}

/** Undefined when the body holds no fault. */
export function readFault(body: XmlElement): Fault | undefined {
  const fault = findElement(body, namespaces.soap, 'Fault');
  if (fault === undefined) return undefined;
  const detail = findElement(fault, namespaces.fault, 'WSManFault');
  const message =
    detail === undefined ? undefined : findElement(detail, namespaces.fault, 'Message');
  const reason = findElement(fault, namespaces.soap, 'Text');
  const sentence = [message, reason].map(wordsOf).find((words) => words !== '');
  return { code: detail?.attributes.get('Code'), reason: sentence ?? 'no reason given' };
}

/** The id of a created shell: a selector of the new resource, or an element of the shell. */
export function readShellId(body: XmlElement): string | undefined {
  const created = findElement(body, namespaces.transfer, 'ResourceCreated');
  const selector =
    created === undefined ? undefined : findElement(created, namespaces.wsman, 'Selector');
  const named = selector?.attributes.get('Name') === 'ShellId' ? selector : undefined;
  return textOf(named ?? findElement(body, namespaces.shell, 'ShellId'));
}

export function readCommandId(body: XmlElement): string | undefined {
  return textOf(findElement(body, namespaces.shell, 'CommandId'));
}

/** One piece of output, and the end of the command if it has come. */
export function readReceived(body: XmlElement, commandId: string): Received | undefined {
  const response = body.children.find(({ name }) => name === 'ReceiveResponse');
  if (response?.namespace !== namespaces.shell) return undefined;
  const streams: { readonly [name: string]: Buffer[] } = { stdout: [], stderr: [] };
  let done: Received['done'];
  for (const element of response.children) {
    const about = element.attributes.get('CommandId');
    if (element.namespace !== namespaces.shell || (about ?? commandId) !== commandId) continue;
    if (element.name === 'Stream') {
      const bytes = readBase64(element.text);
      if (bytes === undefined) return undefined;
      streams[element.attributes.get('Name') ?? '']?.push(bytes);
    } else if (element.name === 'CommandState' && element.attributes.get('State') === STATE_DONE) {
      done = { exitCode: readExitCode(element) };
    }
  }
  const { stdout = [], stderr = [] } = streams;
  return done === undefined ? { stdout, stderr } : { stdout, stderr, done };
}

function readExitCode(state: XmlElement): number | undefined {
  const text = textOf(findElement(state, namespaces.shell, 'ExitCode'));
  return text !== undefined && /^-?\d{1,10}$/.test(text) ? Number(text) : undefined;
}

function readBase64(text: string): Buffer | undefined {
  const packed = text.replace(/\s+/g, '');
  return /^[A-Za-z0-9+/]*={0,2}$/.test(packed) ? Buffer.from(packed, 'base64') : undefined;
}

function textOf(element: XmlElement | undefined): string | undefined {
  const text = element?.text.trim();
  return text === '' ? undefined : text;
}

/** All the text inside an element, on one line: fault messages nest elements of other makers. */
function wordsOf(element: XmlElement | undefined): string {
  if (element === undefined) return '';
  const inner = [element.text, ...element.children.map(wordsOf)];
  return inner.join(' ').replace(/\s+/g, ' ').trim();
}
