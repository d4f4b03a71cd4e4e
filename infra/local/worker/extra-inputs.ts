import type { RegisteredFunction } from './function-registry.ts';
import type { NamedData } from './typed-data.ts';

/** Answers the values of a function's inputs besides its trigger, at the moment of its invocation. */
export type ExtraInputs = (fn: RegisteredFunction) => readonly NamedData[];
