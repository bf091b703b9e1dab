import { pino } from 'pino';

export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error'>;

/** One whose level may change while it runs. */
export type AdjustableLog = Log & { level: string };

const standardError = pino.destination(2);

/** Standard output is for people. */
export const toStandardError = (line: string): void => void standardError.write(line);

/** @param write gets each line, as JSON */
export const createLog = (level: string, write: (line: string) => void = toStandardError): AdjustableLog =>
  pino(
    { level, redact: ['password', '*.password', 'token', '*.token', 'secret', '*.secret', 'authorization', 'cookie'] },
    { write },
  );

/** The level in force: debug logging adds to what is configured, and takes nothing away. */
export const levelWith = ({ configured, debugLogging }: { configured: string; debugLogging: boolean }): string =>
  debugLogging && configured !== 'trace' ? 'debug' : configured;
