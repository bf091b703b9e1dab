import { AppError, Invalid } from '#platform/errors.ts';

/** Reads the body, at most this many KiB whatever length was announced. Throws `too_large`. */
export async function readBytes(request: Request, { maxKiB }: { maxKiB: number }): Promise<Buffer> {
  const maxBytes = maxKiB * 1024;
  if (Number(request.headers.get('content-length') ?? 0) > maxBytes) throw tooLarge(maxKiB);
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of request.body ?? []) {
    size += chunk.byteLength;
    if (size > maxBytes) throw tooLarge(maxKiB);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export function textOf(body: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw new Invalid([{ path: '', message: 'The body is not valid UTF-8' }]);
  }
}

export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Invalid([
      { path: '', message: `The body is not valid JSON: ${error instanceof Error ? error.message : String(error)}` },
    ]);
  }
}

export const tooLarge = (maxKiB: number) =>
  new AppError('too_large', `The body is larger than ${maxKiB < 1024 ? `${maxKiB} KiB` : `${maxKiB / 1024} MiB`}`);
