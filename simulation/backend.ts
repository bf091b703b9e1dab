import { topicsOf } from '#simulation/topics.ts';
import type { EngineStore } from '#engine/store.ts';
import { createModelPeople } from '#simulation/model-people.ts';
import { createModelStore, createSerialQueue, type Serialize } from '#simulation/model-store.ts';
import type { People } from '#simulation/people.ts';
import type { Random } from '#simulation/random.ts';
import type { Scenario } from '#simulation/scenario.ts';
import { emptyTables, type Rows, rowsOf, type Tables } from '#simulation/tables.ts';

/** The database under a simulation, as the engine and the users use it. */
export type Backend = {
  store: EngineStore;
  people: People;
  look(): Promise<Rows>;
  /** Access to the tables between two transactions. */
  inside: { tables: Tables; serialize: Serialize } | null;
};

export type OpenBackend = (scenario: Scenario, random: Random) => Promise<Backend>;

/** In memory. A claim returns its jobs in random order. */
export const openModelBackend: OpenBackend = async ({ workspaces, channels }, random) => {
  const tables = emptyTables();
  for (const workspace of workspaces) tables.workspaces.set(workspace.id, { ...workspace });
  for (const { id } of workspaces) for (const topic of topicsOf(id)) tables.topics.set(topic.id, topic);
  for (const channel of channels) tables.channels.set(channel.id, { ...channel });
  const serialize = createSerialQueue();
  let made = 0;
  const named = (what: string) => `${what}-${String((made += 1)).padStart(5, '0')}`;
  const newId = { job: () => named('job'), reminder: () => named('reminder') };
  return {
    store: createModelStore(tables, { serialize, newId: newId.job, arranged: random.shuffled }),
    people: createModelPeople(tables, { serialize, newId }),
    look: async () => rowsOf(tables),
    inside: { tables, serialize },
  };
};
