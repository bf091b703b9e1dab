import type { ClientBase, Pool } from 'pg';
import type { Change } from '#contract/realtime.ts';
import { spellingsOfKeys } from '#features/contacts/spellings.service.ts';
import { openPerson, sealPerson } from '#features/erasures/erased-person.ts';
import { personalData } from '#features/erasures/personal-data.ts';
import * as data from '#features/erasures/personal-data.db.ts';
import { advisoryLocks } from '#platform/advisory-locks.ts';
import type { Clock } from '#platform/clock.ts';
import { erasedKeyOf, openErasureSecret } from '#platform/erased-address.ts';
import { DatabaseClient } from '#platform/database-client.ts';
import type { Log } from '#platform/log.ts';
import type { SecretBox } from '#platform/secrets.ts';
import { inTransactionOn } from '#platform/transaction.ts';

type Deps = {
  /** Connected as the role cuebird_engine. */
  pool: Pool;
  ownerUrl: string;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
};

export type Eraser = { stop(): Promise<void> };

const lookEveryMs = 5_000;

/**
 * Erases people whose erasure was asked for, one after the other, as the owner of the database: no other role may change all that is kept about somebody.
 * Of several processes one does it at a time. What was being sent at that moment is in a claim alone, so each erasure has a second pass once those claims
 * have ended. A process that dies leaves the rest to the next; each step can be repeated.
 */
export function startEraser(deps: Deps): Eraser {
  const { clock, log } = deps;
  const stopped = new AbortController();
  const done = run();

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      await eraseAsked(deps, stopped.signal).catch((error: unknown) =>
        log.warn({ error: String(error) }, 'erasing failed; trying again'),
      );
      await clock.sleepUntil(clock.now().add({ milliseconds: lookEveryMs }), stopped.signal);
    }
  }

  return {
    async stop() {
      stopped.abort();
      await done;
    },
  };
}

type ErasureRow = {
  id: string;
  workspace_id: string;
  sealed_people: string;
  sealed_secret: string;
  first_pass_at: string | null;
  /** Whether a claim goes on that began before the first pass was over; by the clock of its worker, which may be ahead. */
  is_waiting: boolean;
};

/** The next pass of each workspace's oldest erasure that waits for nothing. */
export async function eraseAsked(deps: Deps, signal: AbortSignal): Promise<void> {
  const { rows } = await deps.pool.query<{ is_asked: boolean }>(
    'select exists (select from erasures where done_at is null) as is_asked',
  );
  if (rows[0]?.is_asked !== true) return;
  const owner = new DatabaseClient({ connectionString: deps.ownerUrl, application_name: 'cuebird erasures' });
  try {
    await owner.connect();
    // Nobody waits for an erasure: it tries again.
    await owner.query("set lock_timeout = '3s'; set statement_timeout = '5min'");
    const { rows: locks } = await owner.query<{ is_free: boolean }>('select pg_try_advisory_lock($1) as is_free', [
      advisoryLocks.erasures,
    ]);
    if (locks[0]?.is_free !== true) return;
    for (const erasure of await findAsked(owner)) {
      if (signal.aborted) return;
      if (erasure.is_waiting) continue;
      // One that fails holds up none of another workspace.
      await eraseNext(owner, { erasure, deps }).catch((error: unknown) =>
        deps.log.error({ erasure: erasure.id, error: String(error) }, 'an erasure failed; trying again'),
      );
    }
  } finally {
    await owner.end();
  }
}

/** One of each workspace at a time, the oldest first, so that none waits for all of another's. */
async function findAsked(owner: ClientBase): Promise<ErasureRow[]> {
  const { rows } = await owner.query<ErasureRow>(`
    select distinct on (e.workspace_id) e.id, e.workspace_id, e.sealed_people, s.sealed_secret, e.first_pass_at::text,
           e.first_pass_at is not null and exists (select from claims c where c.created_at <= e.first_pass_at + interval '1 minute') as is_waiting
      from erasures e join erasure_secrets s on s.workspace_id = e.workspace_id
     where e.done_at is null
     order by e.workspace_id, e.first_pass_at is null desc, e.asked_at, e.id`);
  return rows;
}

/** The next pass of an erasure. */
async function eraseNext(owner: ClientBase, { erasure, deps }: { erasure: ErasureRow; deps: Deps }): Promise<void> {
  const { workspace_id: workspaceId } = erasure;
  const of = { workspaceId, secrets: deps.secrets };
  const secret = openErasureSecret(erasure.sealed_secret, of);
  const pass: data.Pass = erasure.first_pass_at === null ? 'first' : 'second';
  const known = openPerson(erasure.sealed_people, of);
  const now = deps.clock.now().toString();
  const { keys } = known;
  const spellings = spellingsOfKeys(keys);
  const asked = { ...known, workspaceId, spellings, hashes: spellings.map(erasedKeyOf(secret)) };
  const person = await inErasure(owner, workspaceId, async () => {
    const found = await data.findErased(owner, asked);
    const { contacts, names } = found;
    const erasing = { ...asked, ...found, secret, now };
    // From here on nobody writes to them.
    await data.insertErasedEntries(owner, { person: erasing, pass });
    await owner.query('update erasures set sealed_people = $2 where id = $1', [
      erasure.id,
      sealPerson({ keys, contacts, names }, of),
    ]);
    return erasing;
  });
  const namedIn = pass === 'second' ? null : await inErasure(owner, workspaceId, () => data.findNamedIn(owner, person));
  await inErasure(owner, workspaceId, () => data.skipWaiting(owner, person));
  const counts: Record<string, number> = {};
  for (const table of Object.keys(personalData)) {
    const count = await inErasure(owner, workspaceId, () => data.eraseFrom(owner, { table, person, pass }));
    // Most entries of the list are those of the erasure itself.
    if (count > 0 && table !== 'suppressions') counts[table] = count;
  }
  await owner.query(
    `update erasures
        set counts = (select coalesce(jsonb_object_agg(key, n), '{}')
                        from (select key, sum(value::int) as n
                                from (select * from jsonb_each_text(counts) union all select * from jsonb_each_text($2)) parts group by key) summed),
            named_in = coalesce($3, named_in), named_more = coalesce($5, named_more),
            first_pass_at = coalesce(first_pass_at, clock_timestamp()), done_at = case when $4 then clock_timestamp() end,
            sealed_people = case when $4 then null else sealed_people end
      where id = $1`,
    [erasure.id, JSON.stringify(counts), namedIn && JSON.stringify(namedIn.found), pass === 'second', namedIn?.more],
  );
  await owner.query("select pg_notify('cuebird_changes', $1)", [
    JSON.stringify({ workspace: workspaceId, tables: changedTables }),
  ]);
  deps.log.info({ erasure: erasure.id, pass }, 'a pass of an erasure has ended');
}

/** What clients fetch again after a pass. */
const changedTables = [
  'contacts',
  'suppressions',
  'consents',
  'deliveries',
  'jobs',
  'reminders',
  'events',
  'inbox',
] satisfies Change['table'][];

/** A transaction of the owner that may read and change the rows of this workspace. */
const inErasure = <T>(owner: ClientBase, workspaceId: string, work: () => Promise<T>): Promise<T> =>
  inTransactionOn(owner, async () => {
    await owner.query("select set_config('app.erasing_workspace', $1, true)", [workspaceId]);
    return work();
  });
