/** Answers of the management API that more than one call gives. */
import type { ManagementResponse } from '../durable-host.ts';

export function refused(status: number, message: string): ManagementResponse {
  return { status, body: { Message: message } };
}

export function unknownInstance(id: string): ManagementResponse {
  return refused(404, `There is no instance ${id}.`);
}

export function unknownCall(): ManagementResponse {
  return refused(404, 'There is no such call.');
}
