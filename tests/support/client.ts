/** A small HTTP client for tests: what was answered, as it was answered. */

export type Reply = {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers whose shape they assert.
  readonly json: any;
};

export type Ask = {
  readonly body?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
};

export type Client = (method: string, path: string, ask?: Ask) => Promise<Reply>;

/** A string or bytes body is sent as it is, anything else as JSON. */
export function clientOf(base: string): Client {
  return async (method, path, { body, headers = {} } = {}) => {
    const isRaw = body === undefined || typeof body === 'string' || body instanceof Uint8Array;
    const response = await fetch(`${base}${path}`, {
      method,
      headers: { ...headers },
      redirect: 'manual',
      ...(body === undefined ? {} : { body: isRaw ? (body as string) : JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: parsed(text) };
  };
}

/** Asks again and again until the answer is the one waited for; fails with the last one. */
export async function until<Value>(
  ask: () => Promise<Value>,
  isThere: (value: Value) => boolean,
  limitMs = 10_000,
): Promise<Value> {
  const endMs = Date.now() + limitMs;
  for (;;) {
    const value = await ask();
    if (isThere(value)) return value;
    if (Date.now() > endMs) throw new Error(`Still not there: ${JSON.stringify(value)}`);
    await new Promise((go) => setTimeout(go, 20));
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
