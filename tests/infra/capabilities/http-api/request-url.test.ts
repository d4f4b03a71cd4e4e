import { describe, expect, test } from 'vitest';
import type { AgentTarget } from '../../../../core/cacao/playbook.ts';
import { readUrls } from '../../../../infra/capabilities/http-api/request-url.ts';

type Address = AgentTarget['address'];

function urlsOf(address: Address, path: string, port?: string, commandPort?: string | number) {
  const target: AgentTarget = {
    type: 'http-api',
    name: 'target',
    ...(address === undefined ? {} : { address }),
    ...(port === undefined ? {} : { port }),
  };
  const reading = readUrls(target, path, commandPort);
  return reading.ok ? reading.urls.map(String) : reading.reason;
}

describe('a target with a host name or address', () => {
  test.each([
    ['port 80 means http', { dname: ['h'] }, '80', '/url', 'http://h/url'],
    ['port 8080 means http', { dname: ['h'] }, '8080', '/url', 'http://h:8080/url'],
    ['no port means http on port 80', { dname: ['h'] }, undefined, '/url', 'http://h/url'],
    ['port 443 means https', { ipv4: ['10.0.0.1'] }, '443', '/', 'https://10.0.0.1/'],
    ['any other port means https', { dname: ['h'] }, '6464', '/url', 'https://h:6464/url'],
    ['a path needs no leading slash', { dname: ['h'] }, '80', 'get', 'http://h/get'],
    [
      'a query stays a query',
      { dname: ['h'] },
      '80',
      '/get?x=1&y=a%20b',
      'http://h/get?x=1&y=a%20b',
    ],
    ['a path may be a query alone', { dname: ['h'] }, '80', '?x=1', 'http://h/?x=1'],
    ['a trailing slash stays', { dname: ['h'] }, '80', '/api/', 'http://h/api/'],
    ['two slashes do not lead elsewhere', { dname: ['h'] }, '80', '//evil/x', 'http://h//evil/x'],
    ['a fragment is not sent', { dname: ['h'] }, '80', '/a?b=c#d', 'http://h/a?b=c'],
    ['text beyond ASCII is escaped', { dname: ['h'] }, '80', '/ä?ö', 'http://h/%C3%A4?%C3%B6'],
    [
      'IPv6 stands in brackets',
      { ipv6: ['2001:db8::1'] },
      '8080',
      '/',
      'http://[2001:db8::1]:8080/',
    ],
    ['brackets may be given', { ipv6: ['[::1]'] }, '9', '/', 'https://[::1]:9/'],
    [
      'upper case is accepted',
      { dname: ['API.Example.COM'] },
      '80',
      '/',
      'http://api.example.com/',
    ],
    ['an address may stand as a name', { dname: ['10.0.0.1'] }, '80', '/', 'http://10.0.0.1/'],
  ])('%s', (_rule, address, port, path, expected) => {
    expect(urlsOf(address, path, port)).toEqual([expected]);
  });

  test('is tried by name first, then by IPv4, then by IPv6, never by url', () => {
    const address = {
      url: ['http://other/'],
      ipv6: ['::1'],
      ipv4: ['10.0.0.1', '10.0.0.2'],
      dname: ['', 'h'],
    };

    expect(urlsOf(address, '/x', '80')).toEqual([
      'http://h/x',
      'http://10.0.0.1/x',
      'http://10.0.0.2/x',
      'http://[::1]/x',
    ]);
  });

  test.each(['http://h', 'h/path', 'h:80', 'a b', 'user@h', '__host__:value'])(
    'whose name is "%s" is refused',
    (name) => {
      expect(urlsOf({ dname: [name] }, '/', '80')).toBe(
        `The target's dname "${name}" is not a host name without scheme, port or path.`,
      );
    },
  );

  test('whose ipv4 is a name is refused', () => {
    expect(urlsOf({ ipv4: ['localhost'] }, '/', '80')).toBe(
      'The target\'s ipv4 "localhost" is not an IPv4 address.',
    );
  });
});

describe('a target with nothing but a url', () => {
  test.each([
    ['"/" stands for the url itself', 'https://h', '/', 'https://h/'],
    ['the path is appended', 'https://h/isp', '/isp/cst', 'https://h/isp/isp/cst'],
    ['"/" adds nothing to a path', 'https://h/isp', '/', 'https://h/isp'],
    ['a slash between them occurs once', 'https://h/isp/', '/x', 'https://h/isp/x'],
    ['a path without slash gets one', 'https://h/isp', 'x', 'https://h/isp/x'],
    ['a trailing slash stays', 'https://h', '/api/', 'https://h/api/'],
    ['the query is kept apart', 'https://h/isp', '/x?y=1', 'https://h/isp/x?y=1'],
    ['both queries are sent', 'https://h/isp?key=1', '/x?y=2', 'https://h/isp/x?key=1&y=2'],
  ])('%s', (_rule, url, path, expected) => {
    expect(urlsOf({ url: [url] }, path)).toEqual([expected]);
  });

  test('gets the port when the url names none', () => {
    expect(urlsOf({ url: ['http://h/'] }, '/', '8000')).toEqual(['http://h:8000/']);
    expect(urlsOf({ url: ['https://h'] }, '/', '80')).toEqual(['https://h:80/']);
  });

  test('keeps the port the url names, even the usual one', () => {
    expect(urlsOf({ url: ['http://h:81/'] }, '/', '8000')).toEqual(['http://h:81/']);
    expect(urlsOf({ url: ['https://u:1@h:443/'] }, '/', '8000')).toEqual(['https://u:1@h/']);
    expect(urlsOf({ url: ['http://[::1]:80/'] }, '/', '8000')).toEqual(['http://[::1]/']);
  });

  test.each(['h.example/api', 'ftp://h/', '//h', 'http://', 'http://h:99999/', 'http://[x]/'])(
    'is refused when it is "%s"',
    (url) => {
      expect(urlsOf({ url: [url] }, '/')).toBe(
        'The url of the target is not an absolute http or https URL.',
      );
    },
  );
});

describe('ports', () => {
  test('a port of the command overrides the target', () => {
    expect(urlsOf({ dname: ['h'] }, '/', '443', '8080')).toEqual(['http://h:8080/']);
    expect(urlsOf({ dname: ['h'] }, '/', '443', 8443)).toEqual(['https://h:8443/']);
    expect(urlsOf({ dname: ['h'] }, '/', '443', ' ')).toEqual(['https://h/']);
  });

  test.each(['0', '65536', 'http', '-1', '1.5', '__port__:value'])('"%s" is refused', (port) => {
    const refused = `The port must be a number from 1 to 65535, not "${port}".`;
    expect(urlsOf({ dname: ['h'] }, '/', port)).toBe(refused);
    expect(urlsOf({ dname: ['h'] }, '/', '80', port)).toBe(refused);
  });
});

describe('a path that is an absolute URL', () => {
  function within(address: Address, path: string) {
    const target = { type: 't', name: 't', ...(address === undefined ? {} : { address }) };
    const reading = readUrls(target, path, undefined);
    return reading.ok && reading.withinTarget;
  }

  test('is used as it stands', () => {
    expect(urlsOf({ dname: ['h'] }, 'http://h:6464/a/?b=c', '443')).toEqual([
      'http://h:6464/a/?b=c',
    ]);
  });

  test('belongs to the target when it leads to one of its hosts', () => {
    expect(within({ dname: ['H'] }, 'http://h:81/')).toBe(true);
    expect(within({ ipv6: ['::1'] }, 'https://[::1]/')).toBe(true);
    expect(within({ url: ['https://h/api'] }, 'http://h/')).toBe(true);
    expect(within(undefined, 'http://h/')).toBe(true);
    expect(within({ dname: ['h'] }, 'http://h.evil/')).toBe(false);
    expect(within({ url: ['https://h/api'] }, 'http://evil/?h')).toBe(false);
  });

  test('is refused when it cannot be read', () => {
    expect(urlsOf({ dname: ['h'] }, 'http://[x/')).toBe(
      'The URL in the command is not a valid one.',
    );
  });
});

test('a target without any usable address is refused', () => {
  expect(urlsOf(undefined, '/')).toBe('The target has no usable address.');
  expect(urlsOf({ l2mac: ['00:00:00:00:00:00'], dname: [' '] }, '/')).toBe(
    'The target has no usable address.',
  );
});
