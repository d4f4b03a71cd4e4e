/** The names WS-Management and the Windows remote shell are spelled with (DSP0226, MS-WSMV). */

export const namespaces = {
  soap: 'http://www.w3.org/2003/05/soap-envelope',
  addressing: 'http://schemas.xmlsoap.org/ws/2004/08/addressing',
  transfer: 'http://schemas.xmlsoap.org/ws/2004/09/transfer',
  wsman: 'http://schemas.dmtf.org/wbem/wsman/1/wsman.xsd',
  microsoft: 'http://schemas.microsoft.com/wbem/wsman/1/wsman.xsd',
  fault: 'http://schemas.microsoft.com/wbem/wsman/1/wsmanfault',
  shell: 'http://schemas.microsoft.com/wbem/wsman/1/windows/shell',
} as const;

export const ANONYMOUS = `${namespaces.addressing}/role/anonymous`;
export const SHELL_RESOURCE = `${namespaces.shell}/cmd`;
export const STATE_DONE = `${namespaces.shell}/CommandState/Done`;
export const SIGNAL_TERMINATE = `${namespaces.shell}/signal/terminate`;

export const actions = {
  create: `${namespaces.transfer}/Create`,
  delete: `${namespaces.transfer}/Delete`,
  command: `${namespaces.shell}/Command`,
  receive: `${namespaces.shell}/Receive`,
  signal: `${namespaces.shell}/Signal`,
} as const;
export type ShellAction = keyof typeof actions;

/** ERROR_WSMAN_OPERATION_TIMEDOUT: nothing happened within the operation timeout, ask again. */
export const OPERATION_TIMED_OUT = '2150858793';
