import { Client } from 'pg';
import type { TestProject } from 'vitest/node';
import { startTestCuebird } from '#testing/cuebird.ts';
import { buildWebIfStale } from '../scripts/web-build.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The one server of the run: tests have people and workspaces of their own there. */
    cuebird: { url: string; databaseUrl: string };
  }
}

/** The browser tests see the web as it is served: built. */
export default async function startCuebirdForTests(project: TestProject): Promise<() => Promise<void>> {
  await buildWebIfStale(() => {});
  const { postgresUrl } = project.getProvidedContext();
  const { url, databaseUrl, stop } = await startTestCuebird({ database: await createDatabase(postgresUrl) });
  project.provide('cuebird', { url, databaseUrl });
  return stop;
}

/** Empty: the server brings its tables. It goes with the PostgreSQL of the run. */
async function createDatabase(postgresUrl: string) {
  const admin = new Client({ connectionString: postgresUrl });
  await admin.connect();
  await admin.query('create database e2e');
  await admin.end();
  return { url: new URL('/e2e', postgresUrl).href, drop: async () => {} };
}
