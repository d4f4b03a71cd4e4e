import { describe, expect, test } from 'vitest';
import { matchRoute } from '../../../../infra/local/http/match-route.ts';
import { parseRouteTemplate } from '../../../../infra/local/http/route-template.ts';

const match = (template: string, path: string) =>
  matchRoute(parseRouteTemplate(template), path === '' ? [] : path.split('/'));

describe('route templates', () => {
  test.each([
    ['runs', 'RUNS', {}],
    ['runs/{id}', 'runs/Abc', { id: 'Abc' }],
    ['/runs/{id}/', 'runs/1', { id: '1' }],
    ['{x?}', '', {}],
    ['runs/{id?}', 'runs', {}],
    ['runs/{page=1}', 'runs', { page: '1' }],
    ['runs/{page:int=1}', 'runs/7', { page: '7' }],
    ['{root:maxlength(0)?}', '', {}],
    ['files/{*path}', 'files/a/b/c', { path: 'a/b/c' }],
    ['files/{**path}', 'files', {}],
    ['{name}.{extension}', 'a.b.json', { name: 'a.b', extension: 'json' }],
    ['{name}.{extension?}', 'readme', { name: 'readme' }],
    ['{name}.{extension?}', 'readme.md', { name: 'readme', extension: 'md' }],
    ['from-{a}-to-{b}', 'from-1-2-to-3', { a: '1-2', b: '3' }],
    ['{{literal}}', '{literal}', {}],
    ['{id:regex(^[a-z]{{2}}/?$)}', 'ab', { id: 'ab' }],
    ['{id:regex(^(a|b)+$)}', 'abba', { id: 'abba' }],
    ['{id:length(2,3):alpha}', 'abc', { id: 'abc' }],
  ])('%s matches /%s', (template, path, values) => {
    expect(match(template, path)).toEqual(values);
  });

  test.each([
    ['runs', 'run'],
    ['runs/{id}', 'runs'],
    ['runs/{id}', 'runs/1/2'],
    ['{root:maxlength(0)?}', 'runs'],
    ['runs/{page:int=1}', 'runs/one'],
    ['{name}.{extension}', 'readme'],
    ['{id:regex(^[a-z]{{2}}$)}', 'abc'],
    ['{id:length(2,3):alpha}', 'ab1'],
  ])('%s does not match /%s', (template, path) => {
    expect(match(template, path)).toBeUndefined();
  });

  test.each([
    ['runs/{id', 'An opening brace has no closing one.'],
    ['runs/id}', 'A closing brace has no opening one.'],
    ['{a}{b}', 'Two parameters need text between them.'],
    ['a//b', 'A segment is empty.'],
    ['{*rest}/more', 'The catch-all rest must be the last segment.'],
    ['{a?}/more', 'Only the end may be optional, not a.'],
    ['{id}/{ID}', 'The parameter ID appears twice.'],
    ['{id:unheard}', 'There is no route constraint "unheard".'],
    ['{id:min(x)}', '"x" is not a usable constraint argument.'],
    ['{}', '"{}" has no parameter name.'],
  ])('%s is refused', (template, message) => {
    expect(() => parseRouteTemplate(template)).toThrow(message);
  });
});
