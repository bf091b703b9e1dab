import { AppError, Invalid } from '#platform/errors.ts';
import { finishInSlices } from '#platform/in-slices.ts';
import { readJson } from '#platform/json-reader.ts';

/** The limits of a route that declares none. */
export const bodyLimits = {
  kiB: 1_024,
  /** The most values in a JSON body, including those within lists and objects. */
  values: 20_000,
  /** How deeply lists and objects may be nested. */
  depth: 30,
  /** The most names of one object. */
  names: 1_000,
  /** The most characters of one name. */
  name: 10_000,
} as const;

/**
 * Reads the body, at most this many KiB whatever length was announced. Throws `too_large`, and Invalid where the body
 * ends early.
 * @param onBytes gets each part before it is kept, and may refuse it by throwing
 * @param signal ends the reading, which then throws its reason
 */
export async function readBytes(
  request: Request,
  { maxKiB, onBytes = () => {}, signal }: { maxKiB: number; onBytes?: (bytes: number) => void; signal?: AbortSignal },
): Promise<Buffer> {
  const maxBytes = maxKiB * 1024;
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxKiB);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of arriving(request, signal)) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxKiB);
    onBytes(chunk.byteLength);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* arriving({ body }: Request, signal?: AbortSignal): AsyncGenerator<Uint8Array> {
  const reader = body?.getReader();
  if (reader === undefined) return;
  // `cancel` ends the pending read too.
  const cancel = () => void reader.cancel().catch(() => {});
  signal?.addEventListener('abort', cancel);
  try {
    for (;;) {
      signal?.throwIfAborted();
      const { done, value } = await reader.read().catch(() => {
        signal?.throwIfAborted();
        throw new Invalid([{ path: '', message: 'The body ended too early' }]);
      });
      signal?.throwIfAborted();
      if (done) return;
      yield value;
    }
  } finally {
    signal?.removeEventListener('abort', cancel);
    cancel();
  }
}

export function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new Invalid([{ path: '', message: 'The body is not valid UTF-8' }]);
  }
}

/** Parses a body in slices, between which others are served. Throws Invalid for what is no JSON, and for more than the limits. */
export async function jsonOf(
  text: string,
  { maxValues = bodyLimits.values }: { maxValues?: number } = {},
): Promise<unknown> {
  const { depth, names, name } = bodyLimits;
  try {
    return await finishInSlices(readJson(text, { values: maxValues, depth, names, name, refuse: tooMuch }));
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    throw new Invalid([{ path: '', message: `The body is not valid JSON: ${error.message}` }]);
  }
}

const tooMuch = (problem: string) => new Invalid([{ path: '', message: `The body ${problem}` }]);

const tooLarge = (maxKiB: number) =>
  new AppError('too_large', `The body is larger than ${maxKiB < 1024 ? `${maxKiB} KiB` : `${maxKiB / 1024} MiB`}`);
