/** JSON that careless storage changes. */

import type { JsonObject } from '../../core/json.ts';

export const unusualJson: JsonObject = JSON.parse(String.raw`{
  "zebra before apple": 1, "apple": 2, "": "empty name", "10": "ten", "9": "nine",
  "__proto__": { "polluted": true }, "constructor": "text", "toString": null, "_id": "not ours",
  "$set": { "a.b": 1 }, "dotted.name": { "$ref": "#/x" }, "id": "overwritten?",
  "empty": { "object": {}, "array": [], "text": "", "null": null, "nested": [[], [{}], [[null]]] },
  "numbers": [0, 1.5, -1e-7, 1e308, 5e-324, 9007199254740991, 9007199254740993, 0.1, 2147483648],
  "truth": [true, false],
  "texts": ["\u0000", "a\u0000b", "\ud800", "\udfff\ud800", "😀", "é", "e\u0301", "\u2028", "\r\n\t", "' OR 1=1 --", "\\u0041"],
  "2026-01-01T00:00:00.000Z": "2026-01-01T00:00:00.000Z",
  "deep": {"a":{"b":{"c":{"d":{"e":{"f":{"g":{"h":[[[[[[[[[["bottom"]]]]]]]]]]}}}}}}}}
}`);

/** Names and values in the order a reader of the document sees them. */
export function spelled(document: unknown): string {
  return JSON.stringify(document);
}
