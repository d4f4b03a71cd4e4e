/** Thrown by stores when the database cannot be reached; answered 503, retried by the durable driver. */
export class StoreAway extends Error {
  override readonly name = 'StoreAway';

  constructor(cause: unknown) {
    super('The store does not answer.', { cause });
  }
}
