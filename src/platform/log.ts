import { pino } from 'pino';

export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error'>;

/** Structured lines on standard error, so that standard output stays a person's. */
export const createLog = (level: string): Log =>
  pino(
    { level, redact: ['password', '*.password', 'token', '*.token', 'secret', '*.secret', 'authorization', 'cookie'] },
    pino.destination(2),
  );
