/**
 * Makes text of what PowerShell prints on a redirected stderr: CLIXML (MS-PSRP 2.2.5), a serialised form
 * of its streams. Progress, warning, verbose, debug and information records are no errors and are left out.
 */

import { readXml, type XmlElement } from './wsman/xml.ts';

const documentPattern = /(?:#< CLIXML\s*)?(?:<Objs\b[^>]*\/>|<Objs\b[\s\S]*?<\/Objs>)[^\S\n]*\n?/g;
const headerPattern = /#< CLIXML\s*/g;

/** The error text; empty when nothing but harmless records was printed. Plain text stays as it is. */
export function errorTextOf(stderr: string): string {
  if (!stderr.includes('#< CLIXML')) return stderr;
  const text = stderr.replace(documentPattern, (document) => {
    const root = readXml(document.slice(document.indexOf('<Objs')));
    return root === undefined ? document : errorsIn(root);
  });
  const bare = text.replace(headerPattern, '');
  return bare.trim() === '' ? '' : bare;
}

function errorsIn(root: XmlElement): string {
  const errors = root.children.filter(
    ({ name, attributes }) => name === 'S' && attributes.get('S')?.toLowerCase() === 'error',
  );
  return errors.map(({ text }) => unescapeCharacters(text)).join('');
}

/** `_xHHHH_` stands for one UTF-16 unit; a literal underscore before `x` is itself written `_x005F_`. */
function unescapeCharacters(text: string): string {
  return text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, unit: string) =>
    String.fromCharCode(Number.parseInt(unit, 16)),
  );
}
