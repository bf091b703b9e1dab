import { rmSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { startEmbeddedPostgres } from '../src/platform/embedded-postgres.ts';

/** The shared resources of all parts of the benchmark: one PostgreSQL and the sizes. */
export type BenchContext = {
  ownerUrl: string;
  sizes: Sizes;
  /** Prints progress to the terminal. */
  say(line: string): void;
  /** Creates a database for `work` only, empty or a copy of a template. */
  inDatabase<T>(options: { template?: string }, work: (databaseUrl: string) => Promise<T>): Promise<T>;
  /** Creates a template with `seed` at the first call. @returns its name */
  template(name: string, seed: (databaseUrl: string) => Promise<void>): Promise<string>;
  close(): Promise<void>;
};

export type Sizes = {
  /** Webhooks, measured end to end. */
  n: number;
  /** Future jobs in the table. */
  future: number;
  rounds: number;
};

const signals = ['SIGINT', 'SIGTERM'] as const;

type Options = Pick<BenchContext, 'sizes' | 'say'> & {
  /** What differs in this server, and who reads its log. */
  postgres?: { settings: Record<string, string>; log: (line: string) => void };
};

export async function openBenchContext({ sizes, say, postgres: differing }: Options): Promise<BenchContext> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cuebird-bench-'));
  const starting = startEmbeddedPostgres({ dataDir, ...differing });
  const leave = () => {
    // Queries in progress lose their connection.
    process.on('uncaughtException', () => {});
    void starting
      .then((running) => running.stop())
      .finally(() => {
        rmSync(dataDir, { recursive: true, force: true });
        process.exit(130);
      });
  };
  // PostgreSQL runs in its own session, so the terminal's signal does not reach it.
  for (const signal of signals) process.once(signal, leave);
  const postgres = await starting;
  const owner = new Client({ connectionString: postgres.url });
  await owner.connect();
  const urlOf = (database: string) => Object.assign(new URL(postgres.url), { pathname: `/${database}` }).href;
  const templates = new Set<string>();
  let databases = 0;
  return {
    ownerUrl: postgres.url,
    sizes,
    say,
    async inDatabase({ template }, work) {
      const database = `bench_${(databases += 1)}`;
      // Copies the files: logging every page of a million rows would take minutes.
      await owner.query(`create database ${database} ${template ? `template ${template} strategy file_copy` : ''}`);
      try {
        return await work(urlOf(database));
      } finally {
        await owner.query(`drop database if exists ${database} with (force)`);
      }
    },
    async template(name, seed) {
      if (!templates.has(name)) {
        await owner.query(`create database ${name}`);
        await seed(urlOf(name));
        templates.add(name);
      }
      return name;
    },
    async close() {
      for (const signal of signals) process.off(signal, leave);
      await owner.end();
      await postgres.stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
