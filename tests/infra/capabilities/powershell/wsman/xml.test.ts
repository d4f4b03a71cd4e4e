import { describe, expect, test } from 'vitest';
import {
  escapeXml,
  findElement,
  readXml,
} from '../../../../../infra/capabilities/powershell/wsman/xml.ts';

describe('a well-formed document', () => {
  test('tells names, namespaces, attributes and text apart', () => {
    const root = readXml(
      '\uFEFF<?xml version="1.0"?><!-- note --><s:a xmlns:s="urn:one" xmlns="urn:two" x=\'1 > 0\'>' +
        'one<b s:y="&quot;"/><![CDATA[<two>]]></s:a>\n',
    );

    expect(root).toMatchObject({ name: 'a', namespace: 'urn:one', text: 'one<two>' });
    expect(root?.attributes.get('x')).toBe('1 > 0');
    expect(root?.children[0]).toMatchObject({ name: 'b', namespace: 'urn:two', children: [] });
    expect(root?.children[0]?.attributes.get('s:y')).toBe('"');
  });

  test('restores what was escaped', () => {
    const text = `<a & "b" 'c'>`;

    expect(readXml(`<r q="${escapeXml(text)}">${escapeXml(text)}&#x1FAD8;&#65;</r>`)).toMatchObject(
      {
        text: `${text}🫘A`,
      },
    );
  });

  test('is searched by name and namespace, not by prefix', () => {
    const root = readXml(
      '<a><x:b xmlns:x="urn:other"/><c><y:b xmlns:y="urn:b">found</y:b></c></a>',
    );

    expect(root && findElement(root, 'urn:b', 'b')?.text).toBe('found');
    expect(root && findElement(root, 'urn:none', 'b')).toBeUndefined();
  });
});

test.each([
  ['nothing', ''],
  ['plain text', 'hello'],
  ['HTML', '<html><br></html>'],
  ['two roots', '<a/><b/>'],
  ['an open element', '<a><b></b>'],
  ['a wrong end', '<a></b>'],
  ['a document type', '<!DOCTYPE a [<!ENTITY x "y">]><a>&x;</a>'],
  ['an unknown entity', '<a>&nbsp;</a>'],
  ['a bare ampersand', '<a>this & that</a>'],
  ['an undeclared prefix', '<x:a/>'],
  ['a repeated attribute', '<a b="1" b="2"/>'],
  ['an unquoted attribute', '<a b=1/>'],
  ['text after the root', '<a/>tail'],
  ['nesting without end', '<a>'.repeat(100) + '</a>'.repeat(100)],
])('%s is not taken for a document', (_, text) => {
  expect(readXml(text)).toBeUndefined();
});
