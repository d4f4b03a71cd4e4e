/** Reads answers of the case management system: an object, or a list of objects; anything else is nothing. */

import { isJsonObject, type JsonObject } from '../../../core/json.ts';
import { CallFailed } from '../patient-calls.ts';

export function objectsIn(text: string): readonly JsonObject[] {
  try {
    const answer = JSON.parse(text);
    return [answer].flat().filter(isJsonObject);
  } catch {
    return [];
  }
}

/** Of the object just made. */
export function firstId([made]: readonly JsonObject[]): string {
  const id = textIn(made, '_id');
  if (id === undefined) throw new CallFailed('the case management answered without _id', true);
  return id;
}

export function textIn(answer: JsonObject | undefined, member: string): string | undefined {
  const value = answer?.[member];
  return typeof value === 'string' ? value : undefined;
}

export function textsIn(answer: JsonObject | undefined, member: string): readonly string[] {
  const value = answer?.[member];
  return Array.isArray(value) ? value.filter((one) => typeof one === 'string') : [];
}
