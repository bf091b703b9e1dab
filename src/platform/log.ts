import { pino } from 'pino';

export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error'>;

/** JSON lines on standard error; standard output is for people. */
export const createLog = (level: string): Log =>
  pino(
    { level, redact: ['password', '*.password', 'token', '*.token', 'secret', '*.secret', 'authorization', 'cookie'] },
    pino.destination(2),
  );
