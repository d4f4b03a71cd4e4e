/** The SOAP answers of the WinRM peer, in the shape of the examples in MS-WSMV section 4. */

import { randomUUID } from 'node:crypto';
import type { ShellReply } from './shell-service.ts';

export const ns = {
  soap: 'http://www.w3.org/2003/05/soap-envelope',
  addressing: 'http://schemas.xmlsoap.org/ws/2004/08/addressing',
  transfer: 'http://schemas.xmlsoap.org/ws/2004/09/transfer',
  wsman: 'http://schemas.dmtf.org/wbem/wsman/1/wsman.xsd',
  fault: 'http://schemas.microsoft.com/wbem/wsman/1/wsmanfault',
  shell: 'http://schemas.microsoft.com/wbem/wsman/1/windows/shell',
} as const;

export function answerEnvelope(relatesTo: string, action: string, body: string): string {
  return envelope(relatesTo, `${action}Response`, body);
}

export function faultEnvelope(
  relatesTo: string,
  subcode: string,
  code: string,
  message: string,
): ShellReply {
  const text = escapeText(message);
  const body =
    '<s:Fault><s:Code><s:Value>s:Receiver</s:Value><s:Subcode>' +
    `<s:Value>${subcode}</s:Value></s:Subcode></s:Code>` +
    `<s:Reason><s:Text xml:lang="en-US">${text}</s:Text></s:Reason>` +
    `<s:Detail><f:WSManFault xmlns:f="${ns.fault}" Code="${code}" Machine="peer">` +
    `<f:Message>${text}</f:Message></f:WSManFault></s:Detail></s:Fault>`;
  return { status: 500, xml: envelope(relatesTo, `${ns.wsman}/fault`, body) };
}

export function escapeText(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

function envelope(relatesTo: string, action: string, body: string): string {
  return (
    `<s:Envelope xml:lang="en-US" xmlns:s="${ns.soap}" xmlns:a="${ns.addressing}"` +
    ` xmlns:x="${ns.transfer}" xmlns:w="${ns.wsman}" xmlns:rsp="${ns.shell}">` +
    `<s:Header><a:Action>${action}</a:Action><a:MessageID>uuid:${randomUUID()}</a:MessageID>` +
    `<a:To>http://schemas.xmlsoap.org/ws/2004/08/addressing/role/anonymous</a:To>` +
    `<a:RelatesTo>${escapeText(relatesTo)}</a:RelatesTo></s:Header><s:Body>${body}</s:Body></s:Envelope>`
  );
}
