import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';

/**
 * A database from before the baseline: the migrations of the last code before it, and one of everything as rows, which an
 * administrator has to write, because row-level security binds the owner.
 */
export async function earlyDatabase(): Promise<{ schema: string; rows: string }> {
  const text = await promisify(gunzip)(await readFile(new URL('early/database.sql.gz', import.meta.url)));
  const [schema = '', rows = ''] = text.toString().split('-- rows\n');
  return { schema, rows };
}

/** A backup of it, made by that code. */
export const earlyBackup = new URL('early/all.backup', import.meta.url);
