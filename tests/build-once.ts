import { bundle } from '../infra/build/bundle.ts';

/** Tests from outside run the same bundle that is deployed; it is made once per test run. */
export async function setup(): Promise<void> {
  await bundle();
}
