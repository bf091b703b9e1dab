import { BadBackup } from '#commands/backup-file.ts';
import { CommandFailed } from '#commands/command-failed.ts';
import { commandNamed } from '#commands/commands.ts';
import type { Cuebird } from '#cuebird.ts';
import { ListenError } from '#http/listen.ts';
import { ConfigError, helpText, parseConfig } from '#platform/config.ts';
import { EmbeddedPostgresError } from '#platform/embedded-postgres.ts';
import { OutdatedDatabase } from '#platform/replaced-migrations.ts';
import { KeyReplaced } from '#platform/key-record.ts';
import { NewerDatabase, UnfitDatabase } from '#platform/migrate.ts';
import { RolesMissing } from '#platform/roles.ts';
import { SessionsNotKept } from '#platform/session-check.ts';

/** The longest that stopping may take, if the database does not answer: deliveries in flight have 25 s of it. */
const longestStopMs = 40_000;

const say = (text: string) => void process.stdout.write(`${text}\n`);

const command = commandNamed(process.argv[2]);

if (process.argv.includes('--help')) say(helpText());
else if (command !== undefined) await runCommand(command);
else await main();

async function runCommand(run: NonNullable<typeof command>): Promise<void> {
  const interrupt = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interrupt.abort());
  try {
    await run({ config: parseConfig(process.env, []), args: process.argv.slice(3), say, signal: interrupt.signal });
  } catch (error) {
    process.stderr.write(`${interrupt.signal.aborted ? 'Interrupted.' : explain(error)}\n`);
    process.exitCode = 1;
  }
}

async function main(): Promise<void> {
  let cuebird: Cuebird | null = null;
  let isStopping = false;
  let stoppingSinceMs = 0;
  const stop = (signal: string) => {
    if (isStopping) {
      // A second SIGINT within a second is the same Ctrl-C, which both the terminal and npm pass on.
      if (signal === 'SIGINT' && performance.now() - stoppingSinceMs > 1_000) process.exit(130);
      return;
    }
    isStopping = true;
    stoppingSinceMs = performance.now();
    say('Stopping: deliveries in flight are finished first.');
    setTimeout(() => {
      say('Shutdown timed out; remaining deliveries resume on the next start.');
      process.exit(1);
    }, longestStopMs).unref();
    // While Cuebird is still starting, `main` checks `isStopping` afterwards and stops it.
    if (cuebird !== null) void cuebird.stop().then(() => process.exit(0));
  };
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('SIGTERM', () => stop('SIGTERM'));
  try {
    const config = parseConfig(process.env, process.argv.slice(2));
    // Loaded here and not at the top: commands and errors of the configuration then answer in half the time.
    const [{ startCuebird }, { startDeliveriesThread }] = await Promise.all([
      import('#cuebird.ts'),
      import('#wiring/deliveries-thread.ts'),
    ]);
    cuebird = await startCuebird(config, { say, startDeliveries: startDeliveriesThread });
    if (isStopping) {
      await cuebird.stop();
      process.exit(0);
    }
  } catch (error) {
    process.stderr.write(`${explain(error)}\n`);
    process.exit(1);
  }
}

/** One line per problem; only an unexpected error shows its stack. */
function explain(error: unknown): string {
  if (
    error instanceof BadBackup ||
    error instanceof CommandFailed ||
    error instanceof ConfigError ||
    error instanceof EmbeddedPostgresError ||
    error instanceof KeyReplaced ||
    error instanceof ListenError ||
    error instanceof NewerDatabase ||
    error instanceof RolesMissing ||
    error instanceof OutdatedDatabase ||
    error instanceof SessionsNotKept ||
    error instanceof UnfitDatabase
  ) {
    return error.message;
  }
  if (!(error instanceof Error)) return String(error);
  const code = 'code' in error ? String(error.code) : '';
  if (/^(ECONNREFUSED|ECONNRESET|ENOTFOUND|EAI_AGAIN|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH)$/.test(code))
    return `DATABASE_URL: the database does not answer (${error.message || code})`;
  if (code === '53300')
    return `DATABASE_URL: the database has no connection left (${error.message}). Raise max_connections of its server, or stop what holds them.`;
  if (code === '25006') return `DATABASE_URL: the database accepts no changes (${error.message})`;
  if (code === '53100') return `DATABASE_URL: the database has no space left (${error.message})`;
  if (code === '28P01' || code === '28000' || code === '3D000' || code === '42501')
    return `DATABASE_URL: the database refuses the login (${error.message})`;
  // What the server says before it has accepted the connection, such as of a wrong option of the URL, or while it starts.
  if ('severity' in error && error.severity === 'FATAL')
    return `DATABASE_URL: the database refuses the connection (${error.message})`;
  if (/CERT|^ERR_(SSL|TLS)|^EPROTO$/.test(code) || error.message === 'The server does not support SSL connections')
    return `DATABASE_URL: no secure connection to the database (${error.message})`;
  return error.stack ?? error.message;
}
