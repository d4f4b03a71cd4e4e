/** Builds the SOAP envelopes of the Windows remote shell (MS-WSMV 3.1.4, DSP0226 section 5). */

import {
  ANONYMOUS,
  actions,
  namespaces,
  SHELL_RESOURCE,
  type ShellAction,
  SIGNAL_TERMINATE,
} from './vocabulary.ts';
import { escapeXml } from './xml.ts';

export type ShellRequest = {
  readonly action: ShellAction;
  /** Absent for create only. */
  readonly shellId?: string;
  readonly options?: { readonly [name: string]: string };
  /** XML inside the body. */
  readonly body: string;
};

export type EnvelopeContext = {
  readonly url: string;
  /** A fresh UUID. */
  readonly messageId: string;
  readonly operationTimeoutSeconds: number;
};

/** The limit every Windows version accepts; answers beyond it come in more pieces. */
const MAX_ENVELOPE_BYTES = 153_600;

/** The whole envelope as text. */
export function writeEnvelope(request: ShellRequest, context: EnvelopeContext): string {
  const must = 's:mustUnderstand="true"';
  const language = 'xml:lang="en-US" s:mustUnderstand="false"';
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<s:Envelope xmlns:s="${namespaces.soap}" xmlns:a="${namespaces.addressing}"`,
    ` xmlns:w="${namespaces.wsman}" xmlns:p="${namespaces.microsoft}"`,
    ` xmlns:rsp="${namespaces.shell}"><s:Header>`,
    `<a:To>${escapeXml(context.url)}</a:To>`,
    `<a:ReplyTo><a:Address ${must}>${ANONYMOUS}</a:Address></a:ReplyTo>`,
    `<w:MaxEnvelopeSize ${must}>${MAX_ENVELOPE_BYTES}</w:MaxEnvelopeSize>`,
    `<a:MessageID>uuid:${context.messageId}</a:MessageID>`,
    `<w:Locale ${language}/><p:DataLocale ${language}/>`,
    `<w:OperationTimeout>PT${context.operationTimeoutSeconds}S</w:OperationTimeout>`,
    `<w:ResourceURI ${must}>${SHELL_RESOURCE}</w:ResourceURI>`,
    `<a:Action ${must}>${actions[request.action]}</a:Action>`,
    selectors(request.shellId),
    options(request.options),
    `</s:Header><s:Body>${request.body}</s:Body></s:Envelope>`,
  ].join('');
}

/** Code page 65001 makes the console, and with it PowerShell, speak UTF-8. */
export function createRequest(): ShellRequest {
  return {
    action: 'create',
    options: { WINRS_NOPROFILE: 'FALSE', WINRS_CODEPAGE: '65001' },
    body:
      '<rsp:Shell><rsp:InputStreams>stdin</rsp:InputStreams>' +
      '<rsp:OutputStreams>stdout stderr</rsp:OutputStreams></rsp:Shell>',
  };
}

/** cmd.exe takes 8,191 characters at most; a longer command line has to start the program directly. */
const CMD_LIMIT = 8_000;

export function commandRequest(
  shellId: string,
  program: string,
  commandArguments: string,
): ShellRequest {
  const direct = program.length + commandArguments.length > CMD_LIMIT;
  return {
    action: 'command',
    shellId,
    options: {
      WINRS_CONSOLEMODE_STDIN: 'TRUE',
      WINRS_SKIP_CMD_SHELL: direct ? 'TRUE' : 'FALSE',
    },
    body:
      `<rsp:CommandLine><rsp:Command>${escapeXml(program)}</rsp:Command>` +
      `<rsp:Arguments>${escapeXml(commandArguments)}</rsp:Arguments></rsp:CommandLine>`,
  };
}

export function receiveRequest(shellId: string, commandId: string): ShellRequest {
  const body =
    `<rsp:Receive><rsp:DesiredStream CommandId="${escapeXml(commandId)}">` +
    'stdout stderr</rsp:DesiredStream></rsp:Receive>';
  return { action: 'receive', shellId, body };
}

export function terminateRequest(shellId: string, commandId: string): ShellRequest {
  const body =
    `<rsp:Signal CommandId="${escapeXml(commandId)}">` +
    `<rsp:Code>${SIGNAL_TERMINATE}</rsp:Code></rsp:Signal>`;
  return { action: 'signal', shellId, body };
}

export function deleteRequest(shellId: string): ShellRequest {
  return { action: 'delete', shellId, body: '' };
}

function selectors(shellId: string | undefined): string {
  if (shellId === undefined) return '';
  const selector = `<w:Selector Name="ShellId">${escapeXml(shellId)}</w:Selector>`;
  return `<w:SelectorSet>${selector}</w:SelectorSet>`;
}

function options(values: ShellRequest['options']): string {
  if (values === undefined) return '';
  const list = Object.entries(values).map(
    ([name, value]) => `<w:Option Name="${name}">${value}</w:Option>`,
  );
  return `<w:OptionSet>${list.join('')}</w:OptionSet>`;
}
