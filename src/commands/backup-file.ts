import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { z } from 'zod';
import { DamagedAge, decrypted, introBytes, isAge, WrongPassphrase } from '#commands/age.ts';

/**
 * A backup is gzipped text that can be read without Cuebird: a JSON header line; for each table a JSON line with its
 * name and columns, its rows in COPY format, the line `\.`, and a JSON line with the number and checksum of the rows;
 * and a last line that marks the file as complete. With a passphrase all of it is encrypted (`age.ts`).
 */
export const Header = z.object({
  format: z.literal('cuebird backup'),
  version: z.literal(1),
  cuebird: z.string(),
  made_at: z.string(),
  /** Fingerprint of the encryption key, which opens the sealed secrets of the backup. */
  key_fingerprint: z.string(),
  /** Fingerprints of older keys that are needed too, because a rotation had not sealed everything again. */
  older_key_fingerprints: z.array(z.string()).optional(),
  /** The migrations of the database, oldest first. */
  migrations: z.array(z.object({ name: z.string(), hash: z.string() })),
  /** The first day of each month that has a partition. */
  months: z.array(z.iso.date()),
  /** Ordered by foreign keys: a table comes after those that it references. */
  tables: z.array(z.string()),
});
export type Header = z.output<typeof Header>;

const TableStart = z.object({ table: z.string(), columns: z.array(z.string()) });
export type TableStart = z.output<typeof TableStart>;
const TableEnd = z.object({ rows: z.number().int(), sha256: z.string() });
const FileEnd = z.object({ complete: z.literal(true) });

export const endOfRows = '\\.\n';
export const lineOf = (value: z.input<typeof Header> | TableStart | z.input<typeof TableEnd> | { complete: true }) =>
  `${JSON.stringify(value)}\n`;

/** Thrown for a file that is no backup, or is incomplete. The message is one line for the terminal. */
export class BadBackup extends Error {}

/** Takes the rows of a table. Returns how many it has read. */
export type TakeRows = (start: TableStart, rows: AsyncIterable<Buffer>) => Promise<number>;

/**
 * Reads a backup from its first line to its last. Throws a BadBackup at the first line, row or checksum that is wrong.
 * @param options.passphrase opens an encrypted file; for others it is not needed
 * @param options.takeRows gets each table in turn and must read its rows to their end; without it the rows are only counted
 */
export async function readBackup(
  file: string,
  { takeRows = countRows, passphrase = null }: { takeRows?: TakeRows; passphrase?: string | null } = {},
): Promise<Header> {
  try {
    return await pipeline(
      createReadStream(file),
      (source) => opened(source, passphrase),
      createGunzip(),
      async (source: AsyncIterable<Buffer>) => {
        const reader = createReader(source);
        const header = await reader.json(Header);
        for (const table of header.tables) await readTable(reader, { table, takeRows });
        await reader.json(FileEnd);
        await reader.end();
        return header;
      },
    );
  } catch (error) {
    throw explain(error, file);
  }
}

/** The gzipped text, whether or not it is encrypted: the first bytes tell. */
async function* opened(source: AsyncIterable<Buffer>, passphrase: string | null): AsyncGenerator<Buffer> {
  const chunks = source[Symbol.asyncIterator]();
  let start: Buffer = Buffer.alloc(0);
  while (start.length < introBytes) {
    const next = await chunks.next();
    if (next.done === true) break;
    start = Buffer.concat([start, next.value]);
  }
  const whole = (async function* () {
    yield start;
    yield* { [Symbol.asyncIterator]: () => chunks };
  })();
  if (!isAge(start)) return yield* whole;
  if (passphrase === null) throw new NoPassphrase();
  yield* decrypted(whole, { passphrase });
}

class NoPassphrase extends Error {}

async function readTable(reader: Reader, { table, takeRows }: { table: string; takeRows: TakeRows }): Promise<void> {
  const start = await reader.json(TableStart);
  if (start.table !== table) throw new Damaged(`it has the table ${start.table} where ${table} should be`);
  const hash = createHash('sha256');
  const taken = await takeRows(
    start,
    hashed(reader.rows(), (chunk) => hash.update(chunk)),
  );
  const { rows, sha256 } = await reader.json(TableEnd);
  if (hash.digest('hex') !== sha256) throw new Damaged(`the rows of ${table} do not match their checksum`);
  if (taken !== rows) throw new Damaged(`${table} has ${taken} rows instead of ${rows}`);
}

async function* hashed(chunks: AsyncIterable<Buffer>, see: (chunk: Buffer) => void): AsyncIterable<Buffer> {
  for await (const chunk of chunks) {
    see(chunk);
    yield chunk;
  }
}

/** COPY escapes a line break within a value, so that each row is a line. */
async function countRows(_: TableStart, rows: AsyncIterable<Buffer>): Promise<number> {
  let count = 0;
  for await (const chunk of rows)
    for (let at = chunk.indexOf(newline); at >= 0; at = chunk.indexOf(newline, at + 1)) count += 1;
  return count;
}

class Damaged extends Error {}

type Reader = {
  json<T extends z.ZodType>(shape: T): Promise<z.output<T>>;
  /** The bytes of the rows, up to the line `\.`. */
  rows(): AsyncIterable<Buffer>;
  /** Checks that nothing follows, which also makes gzip verify its own checksum. */
  end(): Promise<void>;
};

const newline = 0x0a;
const maxLineBytes = 1024 * 1024;

/** Splits the stream into lines and rows, whatever the size of its chunks. */
export function createReader(source: AsyncIterable<Buffer>): Reader {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);

  async function more(): Promise<void> {
    const next = await chunks.next();
    if (next.done === true) throw new Damaged('it ends too early');
    rest = rest.length === 0 ? next.value : Buffer.concat([rest, next.value]);
  }

  return {
    async json(shape) {
      let end = rest.indexOf(newline);
      for (; end < 0; end = rest.indexOf(newline)) {
        if (rest.length > maxLineBytes) throw new Damaged('a line does not end');
        await more();
      }
      const line = rest.toString('utf8', 0, end);
      rest = rest.subarray(end + 1);
      return shape.parse(JSON.parse(line));
    },
    async end() {
      if (rest.length > 0 || (await chunks.next()).done !== true) throw new Damaged('something follows its end');
    },
    async *rows() {
      while (rest.length < endOfRows.length) await more();
      if (rest.toString('utf8', 0, endOfRows.length) === endOfRows) {
        rest = rest.subarray(endOfRows.length);
        return;
      }
      const ending = `\n${endOfRows}`;
      for (;;) {
        const end = rest.indexOf(ending);
        if (end >= 0) {
          yield rest.subarray(0, end + 1);
          rest = rest.subarray(end + ending.length);
          return;
        }
        // The end marker may begin in these last bytes.
        const whole = Math.max(rest.length - ending.length + 1, 0);
        if (whole > 0) yield rest.subarray(0, whole);
        rest = rest.subarray(whole);
        await more();
      }
    },
  };
}

function explain(error: unknown, file: string): unknown {
  const damaged = (why: string) => new BadBackup(`${file} is damaged or not a backup of Cuebird: ${why}.`);
  if (error instanceof Damaged || error instanceof DamagedAge) return damaged(error.message);
  if (error instanceof NoPassphrase)
    return new BadBackup(
      `${file} is encrypted: set BACKUP_PASSPHRASE or BACKUP_KEY_FILE to what it was encrypted with.`,
    );
  if (error instanceof WrongPassphrase)
    return new BadBackup(
      `${file} is encrypted with another passphrase than the one of BACKUP_PASSPHRASE or BACKUP_KEY_FILE.`,
    );
  if (error instanceof z.ZodError || error instanceof SyntaxError) return damaged('a line has an unexpected format');
  if (!(error instanceof Error) || !('code' in error)) return error;
  switch (error.code) {
    case 'ENOENT':
      return new BadBackup(`There is no file ${file}.`);
    case 'EISDIR':
      return new BadBackup(`${file} is a folder.`);
    case 'Z_BUF_ERROR':
      return damaged('it ends too early');
    case 'Z_DATA_ERROR':
      return damaged('it cannot be unzipped');
    default:
      return error;
  }
}
