/**
 * The values that travel between a Functions host and its worker. Exactly one member is set; which one
 * decides how the app's library reads it (`string` is tried as JSON first, `json` must be JSON).
 */

export type TypedData = {
  readonly string?: string | null;
  readonly json?: string | null;
  readonly bytes?: Uint8Array | null;
  readonly stream?: Uint8Array | null;
  readonly int?: number | null;
  readonly double?: number | null;
  readonly http?: HttpData | null;
};

/** A value for the binding of that name. */
export type NamedData = { readonly name: string; readonly data: TypedData };

export type NullableText = { readonly value: string };

/** An HTTP request on its way in, or a response on its way out. */
export type HttpData = {
  readonly method?: string;
  readonly url?: string;
  readonly nullableHeaders?: Readonly<Record<string, NullableText>>;
  readonly nullableQuery?: Readonly<Record<string, NullableText>>;
  readonly nullableParams?: Readonly<Record<string, NullableText>>;
  readonly body?: TypedData | null;
  readonly statusCode?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly CookieData[];
};

export type CookieData = {
  readonly name: string;
  readonly value: string;
  readonly domain?: { readonly value: string } | null;
  readonly path?: { readonly value: string } | null;
  readonly expires?: { readonly value: { readonly seconds: number } } | null;
  readonly secure?: { readonly value: boolean } | null;
  readonly httpOnly?: { readonly value: boolean } | null;
  readonly maxAge?: { readonly value: number } | null;
  /** `none` means "not given"; `explicitNone` is the attribute None. */
  readonly sameSite?: 'none' | 'lax' | 'strict' | 'explicitNone' | null;
};

/** What a function returned, as its caller keeps it: nothing is null, bytes are base64 text. */
export function fromTypedData(data: TypedData | null | undefined): unknown {
  if (isAbsent(data)) return null;
  if (!isAbsent(data.string)) return data.string;
  if (!isAbsent(data.json)) return parseJson(data.json);
  if (!isAbsent(data.bytes)) return toBase64(data.bytes);
  if (!isAbsent(data.stream)) return toBase64(data.stream);
  return data.int ?? data.double ?? null;
}

/**
 * What `fromTypedData` would give had the value travelled, without the journey. Objects are handed
 * over as they are.
 */
export function settleLiveValue(value: unknown): unknown {
  if (isAbsent(value)) return null;
  if (value instanceof ArrayBuffer) return toBase64(new Uint8Array(value));
  if (ArrayBuffer.isView(value)) {
    return toBase64(new Uint8Array(value.buffer, value.byteOffset, value.byteLength));
  }
  return value;
}

function parseJson(text: string): unknown {
  return JSON.parse(text);
}

function toBase64(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
}

function isAbsent(value: unknown): value is null | undefined {
  return value === null || value === undefined;
}
