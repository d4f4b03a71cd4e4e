/** The `cacao-*` formats of the schema. A text that holds a variable passes them all. */

import { parseIpv4, parseIpv6 } from '../ip-address.ts';

const variableToken = /__[a-zA-Z_][a-zA-Z0-9_-]{0,199}__:value/u;
const absoluteUrl = /^https?:\/\/[^\s/?#]+\S*$/iu;
/** A dotted name ending in letters, wherever it stands, as the schema of the standard asks for. */
const dottedName = /[a-zA-Z0-9()?:/@%._+~#=]{2}\.[a-z]{2,6}\b/u;

const kinds: { readonly [format: string]: (text: string) => boolean } = {
  'cacao-ipv4': (text) => parseIpv4(text) !== undefined,
  'cacao-ipv6': (text) =>
    parseIpv6(text) !== undefined || /^fe80:[0-9a-f:]*%[0-9a-z]+$/i.test(text),
  'cacao-mac': (text) => /^[0-9a-fA-F]{2}(:[0-9a-fA-F]{2}){5}$/u.test(text),
  'cacao-vlan': (text) => /^\d{1,4}$/u.test(text) && Number(text) <= 4095,
  'cacao-url': (text) => absoluteUrl.test(text) || dottedName.test(text),
};

export const addressFormats = Object.fromEntries(
  Object.entries(kinds).map(([format, fits]) => [
    format,
    (text: string) => fits(text) || variableToken.test(text),
  ]),
);
