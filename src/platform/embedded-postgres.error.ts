/** Why PostgreSQL cannot run here: the message is one line for the person at the terminal. */
export class EmbeddedPostgresError extends Error {
  override name = 'EmbeddedPostgresError';
}

/** Translates an error of the file system or PostgreSQL into one clear line; unknown errors stay. */
export function embeddedPostgresErrorOf(error: unknown, dataDir: string): unknown {
  if (!(error instanceof Error)) return error;
  const code = 'code' in error ? error.code : undefined;
  if (code === 'ENOSPC' || code === 'EDQUOT' || /No space left on device|Disk quota exceeded/.test(error.message)) {
    return new EmbeddedPostgresError(`The disk is full: there is no room for the database in ${dataDir}.`);
  }
  switch (code) {
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
    case 'EEXIST':
      return new EmbeddedPostgresError(
        `Cannot write to the data folder ${dataDir} (${reasons[code]}). Set DATA_DIR to a writable folder.`,
      );
    default:
      return error;
  }
}

const reasons = {
  EACCES: 'permission denied',
  EPERM: 'not permitted',
  EROFS: 'the file system is read-only',
  ENOTDIR: 'a part of the path is a file',
  EEXIST: 'it is a file',
};
