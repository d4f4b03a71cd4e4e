/**
 * Ids of fins and their capabilities. Both are topics on the bus, so any text is taken that can be one;
 * the form is the fin's own business (spec, Fins, names one that not all fins keep to).
 */

declare const brand: unique symbol;
type Branded<Name extends string> = string & { readonly [brand]: Name };

/** Names a fin, and the topic on which it hears answers and orders. */
export type FinId = Branded<'FinId'>;
/** Names one capability of a fin, and the topic shared for its commands and results. */
export type CapabilityId = Branded<'CapabilityId'>;

const LONGEST_ID = 1_024;

/** Answers undefined for a text that cannot be a topic of a fin. */
export function parseFinId(text: string): FinId | undefined {
  return canBeTopic(text) ? (text as FinId) : undefined;
}

/** Answers undefined for a text that cannot be a topic of a capability. */
export function parseCapabilityId(text: string): CapabilityId | undefined {
  return canBeTopic(text) ? (text as CapabilityId) : undefined;
}

/** MQTT 5, section 4.7: `#` and `+` are wildcards, topics beginning with `$` belong to the broker. */
function canBeTopic(text: string): boolean {
  return text !== '' && text.length <= LONGEST_ID && !/^\$|[#+\0]/.test(text);
}
