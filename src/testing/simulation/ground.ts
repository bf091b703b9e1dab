import type { EngineStore } from '#engine/store.ts';
import { createModelPeople } from '#testing/simulation/model-people.ts';
import { createModelStore, createTurns, type InTurn } from '#testing/simulation/model-store.ts';
import type { People } from '#testing/simulation/people.ts';
import type { Random } from '#testing/simulation/random.ts';
import type { Scenario } from '#testing/simulation/scenario.ts';
import { emptyTables, type Rows, rowsOf, type Tables } from '#testing/simulation/tables.ts';

/** What a simulation stands on: the database as the engine and as people use it. */
export type Ground = {
  store: EngineStore;
  people: People;
  look(): Promise<Rows>;
  /** Where the tables can be looked at between two transactions. */
  inside: { tables: Tables; inTurn: InTurn } | null;
};

export type OpenGround = (scenario: Scenario, random: Random) => Promise<Ground>;

/** In memory. Jobs that come back from a claim do so in any order. */
export const openModelGround: OpenGround = async ({ workspaces, channels }, random) => {
  const tables = emptyTables();
  for (const workspace of workspaces) tables.workspaces.set(workspace.id, { ...workspace });
  for (const channel of channels) tables.channels.set(channel.id, { ...channel });
  const inTurn = createTurns();
  let made = 0;
  const named = (what: string) => `${what}-${String((made += 1)).padStart(5, '0')}`;
  const newId = { job: () => named('job'), reminder: () => named('reminder') };
  return {
    store: createModelStore(tables, { inTurn, newId: newId.job, arranged: random.shuffled }),
    people: createModelPeople(tables, { inTurn, newId }),
    look: async () => rowsOf(tables),
    inside: { tables, inTurn },
  };
};
