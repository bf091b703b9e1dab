import { AppError, Invalid } from '#platform/errors.ts';

/** The limits of a route that declares none. */
export const bodyLimits = {
  kiB: 1_024,
  /** The most values in a JSON body, including those within lists and objects. */
  values: 20_000,
  /** How deeply lists and objects may be nested. */
  depth: 30,
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

/** Counts values before parsing, since parsing and validating millions takes seconds. */
export function jsonOf(text: string, { maxValues = bodyLimits.values }: { maxValues?: number } = {}): unknown {
  assertModest(text, maxValues);
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Invalid([
      { path: '', message: `The body is not valid JSON: ${error instanceof Error ? error.message : String(error)}` },
    ]);
  }
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c];
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d];

/** One pass over the characters outside of strings: each comma and each opening bracket precedes one more value. */
function assertModest(text: string, maxValues: number): void {
  let [values, depth] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    switch (text.charCodeAt(at)) {
      case quote:
        for (at += 1; at < text.length && text.charCodeAt(at) !== quote; at += 1)
          if (text.charCodeAt(at) === backslash) at += 1;
        break;
      case openList:
      case openObject:
        depth += 1;
        values += 1;
        break;
      case closeList:
      case closeObject:
        depth -= 1;
        break;
      case comma:
        values += 1;
        break;
      default:
    }
    if (depth > bodyLimits.depth) throw tooMuch(`is nested more than ${bodyLimits.depth} levels deep`);
    if (values > maxValues) throw tooMuch(`holds more than ${maxValues} values`);
  }
}

const tooMuch = (problem: string) => new Invalid([{ path: '', message: `The body ${problem}` }]);

const tooLarge = (maxKiB: number) =>
  new AppError('too_large', `The body is larger than ${maxKiB < 1024 ? `${maxKiB} KiB` : `${maxKiB / 1024} MiB`}`);
