import { pino } from 'pino';

export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error'>;

/** A log whose level can be changed while the process runs. */
export type AdjustableLog = Log & { level: string };

const standardError = pino.destination(2);

/** Logs go to standard error: standard output is for people. */
export const toStandardError = (line: string): void => void standardError.write(line);

/** @param write gets each line, as JSON */
export const createLog = (level: string, write: (line: string) => void = toStandardError): AdjustableLog =>
  pino(
    { level, redact: ['password', '*.password', 'token', '*.token', 'secret', '*.secret', 'authorization', 'cookie'] },
    { write },
  );

/** The level to use: the setting for debug logging can only lower the configured one. */
export const levelWith = ({ configured, debugLogging }: { configured: string; debugLogging: boolean }): string =>
  debugLogging && configured !== 'trace' ? 'debug' : configured;
