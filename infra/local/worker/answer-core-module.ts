/**
 * Answers `require('@azure/functions-core')`. There is no such package: the Functions worker answers
 * the name itself, and a library that gets no answer drops every registration without an error.
 */

import { Module } from 'node:module';
import { Disposable } from './core-types.ts';

const coreModuleName = '@azure/functions-core';

/** In force for the whole process until disposed. Call it before anything imports the library. */
export function answerCoreModule(coreApi: object): Disposable {
  // Two doors lead to Node's loader: require() inside a module, and _load for everything else.
  return Disposable.from(
    wrap(Module.prototype, 'require', coreApi),
    wrap(Module, '_load', coreApi),
  );
}

function wrap(owner: object, name: string, coreApi: object): Disposable {
  const original: unknown = Reflect.get(owner, name);
  if (typeof original !== 'function') throw new Error(`This Node has no module loader "${name}".`);
  Reflect.set(owner, name, function answered(this: unknown, id: unknown, ...rest: unknown[]) {
    return id === coreModuleName ? coreApi : Reflect.apply(original, this, [id, ...rest]);
  });
  return new Disposable(() => {
    Reflect.set(owner, name, original);
  });
}
