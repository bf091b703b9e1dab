import { Decrypter, Encrypter } from 'age-encryption';

/** The age format with a passphrase (https://age-encryption.org/v1): what is written here opens with `age --decrypt` too. */

export class WrongPassphrase extends Error {}
export class DamagedAge extends Error {}

const intro = 'age-encryption.org/v1';
/** scrypt with N = 2^17, r = 8, p = 1: 128 MiB (OWASP, password storage). */
const strongWorkFactor = 17;
const mostHeaderBytes = 4_096;

/** Whether a file with this beginning is encrypted. */
export const isAge = (start: Buffer): boolean => start.toString('latin1').startsWith(`${intro}\n`);
export const introBytes = intro.length + 1;

export async function* encrypted(
  source: AsyncIterable<Buffer>,
  { passphrase, workFactor = strongWorkFactor }: { passphrase: string; workFactor?: number },
): AsyncGenerator<Buffer> {
  const age = new Encrypter();
  age.setPassphrase(passphrase);
  age.setScryptWorkFactor(workFactor);
  yield* buffers(await age.encrypt(streamOf(source)));
}

/** Decrypts a file. Throws WrongPassphrase, or DamagedAge at the first altered byte. Each chunk is verified before it is handed on. */
export async function* decrypted(
  source: AsyncIterable<Buffer>,
  { passphrase }: { passphrase: string },
): AsyncGenerator<Buffer> {
  const reading: Reading = { failure: null, isOver: false };
  const age = new Decrypter();
  age.addPassphrase(passphrase);
  // age asks for this only when the passphrase has not opened the file.
  age.addIdentity({
    unwrapFileKey(stanzas) {
      if (stanzas.some(({ args: [kind] }) => kind === 'scrypt')) throw new WrongPassphrase();
      throw new DamagedAge('it is not encrypted with a passphrase');
    },
  });
  const causeOf = (error: unknown, damage: string): unknown =>
    reading.failure ??
    (error instanceof WrongPassphrase || error instanceof DamagedAge ? error : new DamagedAge(damage));
  const plain = await age.decrypt(streamOf(watched(source, reading))).catch((error: unknown) => {
    throw causeOf(error, 'its header was changed');
  });
  try {
    yield* buffers(plain);
  } catch (error) {
    throw causeOf(error, reading.isOver ? 'it ends too early, or was changed' : 'it was changed');
  }
}

type Reading = { failure: unknown; isOver: boolean };

/** Passes the source on, and tells its errors apart from those of its content. Ends a header without an end, which age would collect in memory. */
async function* watched(source: AsyncIterable<Buffer>, reading: Reading): AsyncGenerator<Buffer> {
  let header: Buffer | null = Buffer.alloc(0);
  try {
    for await (const chunk of source) {
      if (header !== null) {
        header = Buffer.concat([header, chunk.subarray(0, mostHeaderBytes)]);
        if (header.includes('\n--- ')) header = null;
        else if (header.length >= mostHeaderBytes) throw new DamagedAge('its header does not end');
      }
      yield chunk;
    }
    reading.isOver = true;
  } catch (error) {
    reading.failure = error;
    throw error;
  }
}

function streamOf(source: AsyncIterable<Buffer>): ReadableStream<Uint8Array> {
  const chunks = source[Symbol.asyncIterator]();
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const next = await chunks.next();
      if (next.done === true) controller.close();
      else controller.enqueue(next.value);
    },
    async cancel() {
      await chunks.return?.();
    },
  });
}

async function* buffers(stream: ReadableStream<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const { buffer, byteOffset, byteLength } of stream) yield Buffer.from(buffer, byteOffset, byteLength);
}
