import { describe, expect, test } from 'vitest';
import {
  type Destination,
  EgressDenied,
  type EgressPolicy,
  guardedLookup,
  refusedAddress,
} from '../../../../infra/capabilities/addressing/egress.ts';

function resolved(allows: EgressPolicy, host: string, all: boolean): Promise<unknown> {
  return new Promise((resolve) => {
    guardedLookup(allows, 443)(host, { all }, (error, address) => resolve(error ?? address));
  });
}

describe('a guarded lookup', () => {
  test('yields only allowed addresses', async () => {
    const onlyV4: EgressPolicy = ({ address }) => address === '127.0.0.1';

    expect(await resolved(onlyV4, 'localhost', true)).toEqual([
      { address: '127.0.0.1', family: 4 },
    ]);
    expect(await resolved(onlyV4, 'localhost', false)).toBe('127.0.0.1');
  });

  test('refuses a name none of whose addresses is allowed, having asked about each', async () => {
    const asked: Destination[] = [];
    const never: EgressPolicy = (destination) => asked.push(destination) < 0;

    expect(await resolved(never, 'localhost', true)).toEqual(new EgressDenied('localhost', 443));
    expect(asked).toContainEqual({ host: 'localhost', address: '127.0.0.1', port: 443 });
  });

  test('passes on that there is no such name', async () => {
    expect(await resolved(() => true, 'no-such-host.invalid', true)).toBeInstanceOf(Error);
  });
});

describe('an address', () => {
  test('is judged itself, a name is left to the lookup', () => {
    const never: EgressPolicy = () => false;

    expect(refusedAddress(never, '::1', 80)).toBeInstanceOf(EgressDenied);
    expect(refusedAddress(() => true, '::1', 80)).toBeUndefined();
    expect(refusedAddress(never, 'localhost', 80)).toBeUndefined();
  });
});
