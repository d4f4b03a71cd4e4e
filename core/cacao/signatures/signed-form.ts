/**
 * What a signature of a playbook signs (CACAO 2.0, signature data type; ITU-T X.590, clauses 7 and 8):
 * the whole playbook with this signature as its only one, its `value` left out. A countersignature signs
 * the signature it stands in as well, with its value.
 */

import { isJsonObject, type JsonObject, type JsonValue } from '../../json.ts';

export type PlacedSignature = {
  readonly signature: JsonObject;
  /** JSON pointer. */
  readonly pointer: string;
  /** The document whose canonical form was signed. */
  readonly signedForm: JsonObject;
};

/** All signatures and countersignatures of a document, outermost first. */
export function signaturesOf(document: JsonObject): readonly PlacedSignature[] {
  const { signatures } = document;
  if (!Array.isArray(signatures)) return [];
  return signatures.flatMap((signature: JsonValue, at) =>
    isJsonObject(signature) ? chainOf(document, signature, at) : [],
  );
}

function chainOf(document: JsonObject, outermost: JsonObject, at: number): PlacedSignature[] {
  const chain: JsonObject[] = [];
  for (let link: JsonValue | undefined = outermost; isJsonObject(link); link = link['signature']) {
    chain.push(link);
  }
  return chain.map((signature, depth) => ({
    signature,
    pointer: `/signatures/${at}${'/signature'.repeat(depth)}`,
    signedForm: { ...document, signatures: [trimmed(chain, 0, depth)] },
  }));
}

/** The chain down to the one at `depth`, which loses its value and its own countersignature. */
function trimmed(chain: readonly JsonObject[], from: number, depth: number): JsonObject {
  const link = chain[from] ?? {};
  if (from < depth) return { ...link, signature: trimmed(chain, from + 1, depth) };
  const { value: _value, signature: _countersignature, ...rest } = link;
  return rest;
}
