import { topicsOf } from '#simulation/topics.ts';
import { randomUUIDv7 } from 'node:crypto';
import type { Client } from 'pg';
import { expect } from 'vitest';
import { createDefaultRoutes } from '#delivery/defaults.ts';
import type { Settled } from '#domain/settle.ts';
import { claimDueJobs } from '#engine/claiming/claim-due-jobs.ts';
import type { ClaimDecision } from '#engine/run/claim-decision.ts';
import { createPostgresStore } from '#engine/postgres/store.ts';
import { type ChannelRow, createRoutes } from '#engine/run/routes.ts';
import type { ClaimRequest, EngineStore, Found, LostAttempt, RescueRequest } from '#engine/store.ts';
import type { Database } from '#platform/database.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { createModelPeople } from '#simulation/model-people.ts';
import { createModelStore, createSerialQueue } from '#simulation/model-store.ts';
import type { Act, Done } from '#simulation/people.ts';
import { createPostgresPeople } from '#simulation/postgres-people.ts';
import { readRows, seedDatabase } from '#simulation/postgres-rows.ts';
import { emptyTables, type JobRow, rowsOf, type Tables, type WorkspaceRow } from '#simulation/tables.ts';

/** The product on PostgreSQL and the model of it. Both get the same calls, and must return and store the same. */
export type Pair = {
  tables: Tables;
  /** Calls an operation of the store. Returns the result of both. */
  run<T>(ask: (store: EngineStore) => Promise<T>): Promise<T | { refused: unknown }>;
  claim(request: ClaimRequest): Promise<ClaimDecision | null>;
  rescue(request: RescueRequest, settle: (lost: LostAttempt) => Settled): Promise<void>;
  act(act: Act, now: Temporal.Instant): Promise<Done>;
  /** Removes a claim from both, as no operation does. */
  loseClaim(id: string): Promise<void>;
};

export async function openPair(
  { owner, database }: { owner: Client; database: Database },
  { workspaces, channels }: { workspaces: readonly WorkspaceRow[]; channels: readonly ChannelRow[] },
): Promise<Pair> {
  await seedDatabase(owner, { workspaces, channels });
  const tables = emptyTables();
  for (const workspace of workspaces) tables.workspaces.set(workspace.id, structuredClone(workspace));
  for (const { id } of workspaces) for (const topic of topicsOf(id)) tables.topics.set(topic.id, topic);
  for (const channel of channels) tables.channels.set(channel.id, structuredClone(channel));
  let rows = rowsOf(tables);
  const serialize = createSerialQueue();
  /** A row that PostgreSQL has just created gets the same id in the model. */
  const newId = {
    job: (of: Pick<JobRow, 'type' | 'reminder_id' | 'scheduled_for'>) => {
      const made = rows.jobs.find((job) => !tables.jobs.has(job.id) && isSame(job, of));
      if (made === undefined) throw new Error(`PostgreSQL has not made the ${of.type} job of ${of.scheduled_for}`);
      return made.id;
    },
    reminder: () => rows.reminders.find(({ id }) => !tables.reminders.has(id))?.id ?? randomUUIDv7(),
  };
  const real = { store: createPostgresStore(database.engine), people: createPostgresPeople(database) };
  const model = {
    store: createModelStore(tables, { serialize, newId: newId.job }),
    people: createModelPeople(tables, { serialize, newId }),
  };
  const findRoute = createRoutes({
    secrets: createSecretBox(TEST_ENCRYPTION_KEY),
    defaults: createDefaultRoutes({ sandbox: null, mailServer: null }),
  });

  /** PostgreSQL goes first. */
  async function onBoth<T>(ask: (side: typeof real) => Promise<T>): Promise<T> {
    const answer = await ask(real);
    rows = await readRows(owner);
    const modelled = await ask(model);
    expect(plain(modelled)).toEqual(plain(answer));
    expect(inOrder(rowsOf(tables))).toEqual(inOrder(rows));
    return answer;
  }

  return {
    tables,
    run: (ask) =>
      onBoth(({ store }) => ask(store).catch((error: unknown) => ({ refused: Object(error).code ?? String(error) }))),
    async claim(request) {
      const seen: Seen = { jobs: [], answers: [] };
      let decided: ClaimDecision | null = null;
      return onBoth(({ store }) => {
        if (store === real.store) {
          const claim: EngineStore['claim'] = (asked, decide) =>
            store.claim(asked, async (found) => (decided = await decide(watched(found, seen))));
          const audiences = { jobs: request.maxJobs, ms: 1_000_000, people: 4, workspaces: 1 };
          return claimDueJobs(
            {
              store: { ...store, claim },
              findRoute,
              billing: 'on',
              audiences,
              secrets: createSecretBox(TEST_ENCRYPTION_KEY),
              steadyMs: () => 0,
            },
            { ...request, maxAttempts: request.maxJobs + 2 },
          );
        }
        return store.claim(request, async (found) => {
          expect(sorted(found.jobs)).toEqual(sorted(seen.jobs));
          for (const { ask, answer } of seen.answers) expect(plain(await ask(found))).toEqual(plain(answer));
          if (decided === null) throw new Error('PostgreSQL had nothing to claim');
          return decided;
        });
      });
    },
    async rescue(request, settle) {
      await onBoth(async ({ store }) => {
        const lost: LostAttempt[] = [];
        const rescued = await store.rescue(request, (attempt) => {
          lost.push(attempt);
          return settle(attempt);
        });
        return { rescued, lost: sorted(lost) };
      });
    },
    act: (act, now) => onBoth(({ people }) => people.act(act, now)),
    async loseClaim(id) {
      await owner.query('delete from claims where id = $1', [id]);
      tables.claims.delete(id);
    },
  };
}

const isSame = (job: JobRow, of: Pick<JobRow, 'type' | 'reminder_id' | 'scheduled_for'>) =>
  job.type === of.type && job.reminder_id === of.reminder_id && job.scheduled_for === of.scheduled_for;

/** What a claim found, and the results of the queries in its decision. */
type Seen = { jobs: Found['jobs']; answers: { ask: (found: Found) => Promise<unknown>; answer: unknown }[] };

function watched(found: Found, seen: Seen): Found {
  seen.jobs = found.jobs;
  seen.answers = [];
  async function answered<T>(ask: (asked: Found) => Promise<T>): Promise<T> {
    const answer = await ask(found);
    seen.answers.push({ ask, answer });
    return answer;
  }
  return {
    jobs: found.jobs,
    workspaces: (tiers) => answered((asked) => asked.workspaces(tiers)),
    suppressed: (recipients) => answered((asked) => asked.suppressed(recipients)),
    wishes: (people) => answered((asked) => asked.wishes(people)),
    takeCapacity: (messages) => answered((asked) => asked.takeCapacity(messages)),
    exclusions: (people) => answered((asked) => asked.exclusions(people)),
    contacts: (recipients) => answered((asked) => asked.contacts(recipients)),
    audience: (request) => answered((asked) => asked.audience(request)),
    ledger: (jobs) => answered((asked) => asked.ledger(jobs)),
  };
}

/** SQL guarantees no order, and neither does the model. */
function inOrder(rows: ReturnType<typeof rowsOf>): Record<string, unknown[]> {
  return Object.fromEntries(Object.entries(rows).map(([table, list]) => [table, sorted(list)]));
}

const sorted = (list: readonly unknown[]): unknown[] =>
  list
    .map((item) => ({ item, key: JSON.stringify(item, Object.keys(Object(item)).sort()) }))
    .sort((a, b) => (a.key < b.key ? -1 : 1))
    .map(({ item }) => item);

/** Converts instants and sets into comparable values. */
function plain(value: unknown): unknown {
  if (value instanceof Temporal.Instant) return value.toString();
  if (value instanceof Set) return [...value].sort((a, b) => (a < b ? -1 : 1));
  if (Array.isArray(value)) return sorted(value.map(plain));
  if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, plain(inner)]));
}
