import { pino } from 'pino';

export type Log = Pick<ReturnType<typeof pino>, 'debug' | 'info' | 'warn' | 'error'>;

/** One whose level may change while it runs. */
export type AdjustableLog = Log & { level: string };

/** JSON lines on standard error; standard output is for people. `also` gets each line as well. */
export function createLog(level: string, also: (line: string) => void = () => {}): AdjustableLog {
  const standardError = pino.destination(2);
  return pino(
    { level, redact: ['password', '*.password', 'token', '*.token', 'secret', '*.secret', 'authorization', 'cookie'] },
    {
      write(line) {
        standardError.write(line);
        also(line);
      },
    },
  );
}

/** The level in force: debug logging adds to what is configured, and takes nothing away. */
export const levelWith = ({ configured, debugLogging }: { configured: string; debugLogging: boolean }): string =>
  debugLogging && configured !== 'trace' ? 'debug' : configured;
