import type { Client } from 'pg';
import { createPostgresStore } from '#engine/postgres/store.ts';
import type { Database } from '#platform/database.ts';
import type { OpenBackend } from '#simulation/backend.ts';
import { createSerialQueue } from '#simulation/model-store.ts';
import { createPostgresPeople } from '#simulation/postgres-people.ts';
import { readRows, seedDatabase } from '#simulation/postgres-rows.ts';

/** The product's own database and services, emptied for each simulation. */
export const openPostgresBackend =
  ({ owner, database }: { owner: Client; database: Database }): OpenBackend =>
  async ({ workspaces, channels }) => {
    await seedDatabase(owner, { workspaces, channels });
    // One connection reads, and several callers may need it.
    const serialize = createSerialQueue();
    return {
      store: createPostgresStore(database.engine),
      people: createPostgresPeople(database),
      look: () => serialize(() => readRows(owner)),
      inside: null,
    };
  };
