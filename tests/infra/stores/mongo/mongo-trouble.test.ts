import {
  MongoNetworkError,
  MongoRuntimeError,
  MongoServerError,
  MongoTopologyClosedError,
} from 'mongodb';
import { describe, expect, test } from 'vitest';
import { mongoTrouble } from '../../../../infra/stores/mongo/mongo-trouble.ts';

const server = (code: number, errmsg = 'no') => new MongoServerError({ code, errmsg });

describe('an error of MongoDB or its driver', () => {
  test.for([
    [server(16500, 'Error=16500, RetryAfterMs=34'), { kind: 'busy', retryAfterMs: 34 }],
    [server(16500), { kind: 'busy' }],
    [server(429), { kind: 'busy' }],
    [server(1, 'database is locked'), { kind: 'interrupted' }],
    [server(10107), { kind: 'interrupted' }],
    [new MongoNetworkError('connection reset'), { kind: 'interrupted' }],
    [server(18, 'who?'), { kind: 'away', reason: 'it refuses us: who?' }],
    [new MongoTopologyClosedError(), { kind: 'away', reason: 'there is no connection' }],
    [new MongoRuntimeError('too many'), { kind: 'away', reason: 'too many' }],
    [
      Object.assign(new Error('querySrv'), { syscall: 'querySrv', code: 'ENOTFOUND' }),
      { kind: 'away', reason: 'its name cannot be looked up (ENOTFOUND)' },
    ],
    [server(2, 'BadValue'), undefined],
    [server(11000, 'duplicate'), undefined],
    [new TypeError('a defect'), undefined],
    ['no error', undefined],
  ] as const)('%s means %o', ([error, trouble]) => {
    expect(mongoTrouble(error)).toEqual(trouble);
  });
});
