import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestProject } from 'vitest/node';
import { startEmbeddedPostgres } from '#platform/embedded-postgres.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The owner's URL of the run's one PostgreSQL. */
    postgresUrl: string;
  }
}

/** One PostgreSQL for the whole run; every test takes databases of its own from it (`createTestDatabase`). */
export default async function startPostgresForTests(project: TestProject): Promise<() => Promise<void>> {
  const dataDir = await mkdtemp(join(tmpdir(), 'cuebird-vitest-'));
  const postgres = await startEmbeddedPostgres({ dataDir, isEphemeral: true });
  project.provide('postgresUrl', postgres.url);
  return async () => {
    await postgres.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
}
