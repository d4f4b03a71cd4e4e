/**
 * A small reader of XML with namespaces, enough for SOAP envelopes and CLIXML. It refuses what such
 * messages never hold and attackers like: document types, entities beyond the five predefined, deep nesting.
 */

export type XmlElement = {
  /** Local name, without prefix. */
  readonly name: string;
  /** Empty when the element is in no namespace. */
  readonly namespace: string;
  /** By name as written; namespace declarations included. */
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: readonly XmlElement[];
  /** The character data directly inside, joined. */
  readonly text: string;
};

type Open = {
  readonly tag: string;
  readonly namespace: string;
  readonly scope: ReadonlyMap<string, string>;
  readonly attributes: ReadonlyMap<string, string>;
  readonly children: XmlElement[];
  readonly pieces: string[];
};

const MAX_DEPTH = 64;
const XML_NAMESPACE = 'http://www.w3.org/XML/1998/namespace';
const tagPattern = /^([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)$/u;
const attributePattern = /([\w:.-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/gu;

/** The root element; undefined when the text is not a well-formed document. */
export function readXml(text: string): XmlElement | undefined {
  const stack: Open[] = [];
  let root: XmlElement | undefined;
  let at = 0;
  while (at < text.length) {
    const open = text.indexOf('<', at);
    const data = unescapeXml(text.slice(at, open === -1 ? text.length : open));
    const top = stack.at(-1);
    if (data === undefined || (top === undefined && data.trim() !== '' && data !== '\uFEFF'))
      return undefined;
    top?.pieces.push(data);
    if (open === -1) break;
    const markup = readMarkup(text, open);
    if (markup === undefined) return undefined;
    at = markup.end;
    if (markup.kind === 'nothing') continue;
    if (markup.kind === 'characters') {
      if (top === undefined) return undefined;
      top.pieces.push(markup.content);
      continue;
    }
    if (markup.kind === 'start') {
      const started = start(markup.content, top);
      if (started === undefined || root !== undefined || stack.length >= MAX_DEPTH)
        return undefined;
      stack.push(started.open);
      if (!started.closed) continue;
    }
    const finished = stack.pop();
    if (finished === undefined) return undefined;
    if (markup.kind === 'end' && markup.content.trim() !== finished.tag) return undefined;
    const element = close(finished);
    const parent = stack.at(-1);
    if (parent === undefined) root = element;
    else parent.children.push(element);
  }
  return stack.length === 0 ? root : undefined;
}

/** The first element below `element`, at any depth, with this name and namespace. */
export function findElement(
  element: XmlElement,
  namespace: string,
  name: string,
): XmlElement | undefined {
  for (const child of element.children) {
    if (child.name === name && child.namespace === namespace) return child;
    const deeper = findElement(child, namespace, name);
    if (deeper !== undefined) return deeper;
  }
  return undefined;
}

/** Fit for element content and attribute values. */
export function escapeXml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

type Markup = {
  readonly kind: 'start' | 'end' | 'characters' | 'nothing';
  readonly content: string;
  readonly end: number;
};

function readMarkup(text: string, open: number): Markup | undefined {
  const upTo = (kind: Markup['kind'], skip: number, closing: string): Markup | undefined => {
    const end = text.indexOf(closing, open + skip);
    if (end === -1) return undefined;
    return { kind, content: text.slice(open + skip, end), end: end + closing.length };
  };
  if (text.startsWith('<?', open)) return upTo('nothing', 2, '?>');
  if (text.startsWith('<!--', open)) return upTo('nothing', 4, '-->');
  if (text.startsWith('<![CDATA[', open)) return upTo('characters', 9, ']]>');
  if (text.startsWith('<!', open)) return undefined;
  if (text.startsWith('</', open)) return upTo('end', 2, '>');
  const end = endOfTag(text, open);
  return end === -1
    ? undefined
    : { kind: 'start', content: text.slice(open + 1, end), end: end + 1 };
}

/** The `>` that closes a start tag; one inside a quoted value does not count. */
function endOfTag(text: string, open: number): number {
  let quote = '';
  for (let at = open + 1; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '>') return at;
  }
  return -1;
}

function start(content: string, parent: Open | undefined) {
  const match = tagPattern.exec(content);
  if (match === null) return undefined;
  const [, tag = '', attributeText = '', slash] = match;
  const attributes = new Map<string, string>();
  const scope = new Map(parent?.scope ?? [['xml', XML_NAMESPACE]]);
  for (const [, name = '', double, single] of attributeText.matchAll(attributePattern)) {
    const value = unescapeXml(double ?? single ?? '');
    if (value === undefined || attributes.has(name)) return undefined;
    attributes.set(name, value);
    if (name === 'xmlns') scope.set('', value);
    else if (name.startsWith('xmlns:')) scope.set(name.slice(6), value);
  }
  const prefix = tag.includes(':') ? tag.slice(0, tag.indexOf(':')) : '';
  const namespace = scope.get(prefix) ?? (prefix === '' ? '' : undefined);
  if (namespace === undefined) return undefined;
  const open: Open = { tag, namespace, scope, attributes, children: [], pieces: [] };
  return { open, closed: slash === '/' };
}

function close({ tag, namespace, attributes, children, pieces }: Open): XmlElement {
  const name = tag.slice(tag.indexOf(':') + 1);
  return { name, namespace, attributes, children, text: pieces.join('') };
}

const predefined = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function unescapeXml(text: string): string | undefined {
  if (!text.includes('&')) return text;
  let sound = true;
  const plain = text.replace(/&([^;&]{0,12});?/g, (whole, name: string) => {
    const character = whole.endsWith(';') ? readReference(name) : undefined;
    sound &&= character !== undefined;
    return character ?? '';
  });
  return sound ? plain : undefined;
}

function readReference(name: string): string | undefined {
  const digits = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name);
  if (digits === null) return predefined.get(name);
  const code = digits[1] === undefined ? Number(digits[2]) : Number.parseInt(digits[1], 16);
  return code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : undefined;
}
