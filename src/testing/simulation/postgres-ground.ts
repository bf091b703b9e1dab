import type { Client } from 'pg';
import { createPostgresStore } from '#engine/postgres/store.ts';
import type { Database } from '#platform/database.ts';
import type { OpenGround } from '#testing/simulation/ground.ts';
import { createTurns } from '#testing/simulation/model-store.ts';
import { createPostgresPeople } from '#testing/simulation/postgres-people.ts';
import { readRows, seedDatabase } from '#testing/simulation/postgres-rows.ts';

/** The product's own database and services, emptied for each simulation. */
export const openPostgresGround =
  ({ owner, database }: { owner: Client; database: Database }): OpenGround =>
  async ({ workspaces, channels }) => {
    await seedDatabase(owner, { workspaces, channels });
    // One connection looks, and several may want to.
    const inTurn = createTurns();
    return {
      store: createPostgresStore(database.engine),
      people: createPostgresPeople(database),
      look: () => inTurn(() => readRows(owner)),
      inside: null,
    };
  };
