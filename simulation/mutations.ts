import { topicsOf } from '#simulation/topics.ts';
import { isWait } from '#domain/ledger-reasons.ts';
import type { LedgerRow } from '#engine/run/live-delivery.ts';
import type { Addressed, EngineStore, Found, Skip } from '#engine/store.ts';
import { enqueue } from '#simulation/model-jobs.ts';
import { lastWithoutFailOvers } from '#simulation/scenario.ts';
import type { ConsentRow, Tables } from '#simulation/tables.ts';

/** A fault of the engine or its database, and what the checker must report in some simulation. */
export type Mutation = {
  says: RegExp;
  /** The first seed to try, where many earlier ones do not show the fault. A mutation changes the engine's random draws. */
  from?: number;
  store(store: EngineStore, tables: Tables): Partial<EngineStore>;
};

/** A claim that reads the ledger wrongly. */
const withLedger =
  (read: (rows: LedgerRow[]) => LedgerRow[]): Mutation['store'] =>
  (store) => ({
    claim: (request, decide) =>
      store.claim(request, (found) => decide({ ...found, ledger: async (jobs) => read(await found.ledger(jobs)) })),
  });

/** An operation for which no workspace requires consents. */
async function withoutConsents<T>(tables: Tables, operation: () => Promise<T>): Promise<T> {
  const required = new Map(tables.workspaces.values().map(({ id, consent_for: channels }) => [id, channels]));
  for (const workspace of tables.workspaces.values()) workspace.consent_for = [];
  try {
    return await operation();
  } finally {
    for (const workspace of tables.workspaces.values()) workspace.consent_for = required.get(workspace.id) ?? [];
  }
}

/** A database that reads some words about consent wrongly. */
function withWords(
  store: EngineStore,
  { tables, kind, change }: { tables: Tables; kind: ConsentRow['kind']; change: (word: ConsentRow) => ConsentRow },
): Partial<EngineStore> {
  async function misread<T>(operation: () => Promise<T>): Promise<T> {
    const before = tables.consents;
    tables.consents = before.map((word) => (word.kind === kind ? change(word) : word));
    try {
      return await operation();
    } finally {
      // What was said meanwhile is kept.
      tables.consents = [...before, ...tables.consents.slice(before.length)];
    }
  }
  return {
    claim: (request, decide) =>
      store.claim(request, (found) =>
        decide({ ...found, suppressed: (asked) => misread(() => found.suppressed(asked)) }),
      ),
    stillOwned: (claimId, request) => misread(() => store.stillOwned(claimId, request)),
    beginAttempts: (owned, request) => misread(() => store.beginAttempts(owned, request)),
  };
}

export const mutations: Record<string, Mutation> = {
  'a result counts although another worker owns the job': {
    says: /was changed by a worker that no longer owned it/,
    from: 130,
    store: (store, tables) => ({
      record: (batch) => {
        const asHolder = ({ claimId, ...finish }: (typeof batch.finishes)[number]) => ({
          ...finish,
          claimId: tables.jobs.get(finish.jobId)?.claim_id ?? claimId,
        });
        return store.record({ ...batch, finishes: batch.finishes.map(asHolder) });
      },
    }),
  },
  'a run that was one attempt is written twice': {
    says: /was claimed .* times and has .* runs/,
    store: (store, tables) => ({
      async record(batch) {
        await store.record(batch);
        const jobIds = new Set(batch.finishes.flatMap(({ onlyOutcome, jobId }) => (onlyOutcome === null ? [] : jobId)));
        tables.executions.push(...tables.executions.filter(({ job_id }) => jobIds.has(job_id)));
      },
    }),
  },
  'a retry that loses the old run': {
    says: /has failed .* times and has .* runs/,
    from: 83,
    store: (store, tables) => ({
      claim(request, decide) {
        const isRetried = (id: string) => {
          const job = tables.jobs.get(id);
          return job?.status === 'pending' && job.attempts === 0 && job.expires_at !== null;
        };
        tables.executions = tables.executions.filter(
          ({ job_id, logs }) => !(isRetried(job_id) && logs['attempted'] === 1),
        );
        return store.claim(request, decide);
      },
    }),
  },
  'a run that was one attempt leaves no row in the ledger': {
    says: /has accepted, the ledger says|is not in the ledger/,
    store: (store) => ({
      record(batch) {
        const forgotten = new Set(batch.finishes.map(({ onlyOutcome }) => onlyOutcome));
        const outcomes = batch.outcomes.filter((outcome) => !forgotten.has(outcome));
        // Nor does the end of the run know that it had one.
        const finishes = batch.finishes.map((finish) => ({
          ...finish,
          rows: finish.onlyOutcome === null ? finish.rows : 0,
        }));
        return store.record({ ...batch, outcomes, finishes });
      },
    }),
  },
  'two workers take the same job': {
    says: /began before attempt 1 had an outcome/,
    store: (store, tables) => ({
      async claim(request, decide) {
        const claim = await store.claim(request, decide);
        for (const { run } of claim?.started ?? []) {
          const job = tables.jobs.get(run.job.id);
          if (job === undefined || job.attempts > 1) continue;
          job.status = 'pending';
          enqueue(tables, job);
        }
        return claim;
      },
    }),
  },
  'a job is taken before its time': {
    says: /was begun before its time/,
    store: (store, tables) => ({
      claim(request, decide) {
        const isFirst = ({ job_id }: { job_id: string }) => tables.jobs.get(job_id)?.attempts === 0;
        const ahead = { minutes: tables.queue.values().every(isFirst) ? 1 : 0 };
        return store.claim({ ...request, now: request.now.add(ahead) }, decide);
      },
    }),
  },
  'a claim does not record what it has begun': {
    says: /has accepted, the ledger says/,
    store: (store, tables) => ({
      async claim(request, decide) {
        const claim = await store.claim(request, decide);
        const row = tables.claims.get(request.claimId);
        if (row !== undefined) row.begun = [];
        return claim;
      },
    }),
  },
  'a claim does not see that all reminders are paused': {
    says: /was begun while all reminders were paused/,
    from: 98,
    store: (store) => ({
      claim: (request, decide) =>
        store.claim(request, (found) =>
          decide({
            ...found,
            async workspaces(limitedTiers) {
              const { facts, channels } = await found.workspaces(limitedTiers);
              return { facts: facts.map((workspace) => ({ ...workspace, paused_until: null })), channels };
            },
          }),
        ),
    }),
  },
  'a claim does not see that a workspace was deleted': {
    says: /began: the workspace was deleted/,
    from: 84,
    store: (store, tables) => ({
      async claim(request, decide) {
        const deleted = [...tables.workspaces.values()].filter((workspace) => workspace.is_deleted);
        for (const workspace of deleted) workspace.is_deleted = false;
        const claim = await store.claim(request, decide);
        for (const workspace of deleted) workspace.is_deleted = true;
        return claim;
      },
    }),
  },
  'a claim schedules no next occurrence': {
    says: /is due again at .* and has no pending job/,
    store: (store) => ({
      claim: (request, decide) =>
        store.claim(request, async (found) => ({ ...(await decide(found)), nextOccurrences: [] })),
    }),
  },
  'a claim skips an hour': {
    says: /was due at .* and there is no job/,
    store: (store) => ({
      claim: (request, decide) =>
        store.claim(request, async (found) => {
          const claim = await decide(found);
          const later = (at: string) => Temporal.Instant.from(at).add({ hours: 1 }).toString();
          return {
            ...claim,
            nextOccurrences: claim.nextOccurrences.map(({ at, ...of }) => ({ ...of, at: later(at) })),
          };
        }),
    }),
  },
  'the suppression list is ignored when a job is taken': {
    says: /was sent to: the recipient was suppressed/,
    from: 242,
    store: (store) => ({
      claim: (request, decide) =>
        store.claim(request, (found) => decide({ ...found, suppressed: async () => new Map() })),
    }),
  },
  'what people left is ignored when a job is taken': {
    says: /was sent to: the recipient was suppressed \((optional|topic|pause)\)/,
    store: (store) => ({
      claim: (request, decide) =>
        store.claim(request, (found) =>
          decide({
            ...found,
            suppressed: (asked) => found.suppressed(asked.map((one) => ({ ...one, occasion: 'test' }))),
          }),
        ),
    }),
  },
  'the hours of recipients are ignored when a job is taken': {
    says: /was sent to at an hour that its recipient had not wanted/,
    store: (store) => ({
      claim: (request, decide) => store.claim(request, (found) => decide({ ...found, wishes: async () => new Map() })),
    }),
  },
  'a required message is lost to a topic that was left': {
    says: /was skipped for a topic that nobody can leave/,
    store: (store) => ({
      claim: (request, decide) =>
        store.claim(request, (found) =>
          decide({
            ...found,
            suppressed: (asked) => found.suppressed(asked.map((one) => ({ ...one, topicId: null }))),
          }),
        ),
    }),
  },
  'what people left is ignored when an attempt begins': {
    from: 180,
    says: /was sent to: the recipient was suppressed \((optional|topic)\)/,
    store: (store) => ({
      beginAttempts: (owned, request) =>
        store.beginAttempts(owned, { ...request, about: { ...request.about, occasion: 'test' } }),
    }),
  },
  'a late failure is not followed': {
    says: /was not tried over .* after a late failure/,
    store: withLedger((rows) =>
      rows.map((row) => (row.has_failed_late ? { ...row, status: 'accepted', has_failed_late: false } : row)),
    ),
  },
  'who left one topic gets no message of another': {
    says: /had left another topic/,
    store: (store) => ({
      claim: (request, decide) =>
        store.claim(request, (found) =>
          decide({
            ...found,
            async suppressed(asked) {
              const [first] = topicsOf(asked[0]?.workspaceId ?? '');
              const skips = await found.suppressed(asked);
              const others = await found.suppressed(asked.map((one) => ({ ...one, topicId: first?.id ?? null })));
              return new Map([...others, ...skips]);
            },
          }),
        ),
    }),
  },
  'a pause of a recipient never ends': {
    says: /was skipped for a pause that had ended/,
    store(store) {
      const paused = new Map<string, Skip>();
      const keyOf = ({ workspaceId, channel, key }: Addressed) => `${workspaceId} ${channel} ${key}`;
      return {
        claim: (request, decide) =>
          store.claim(request, (found) =>
            decide({
              ...found,
              async suppressed(asked) {
                const skips = await found.suppressed(asked);
                for (const [at, skip] of skips) {
                  const one = asked[at];
                  if (one !== undefined && skip.code === 'paused_by_recipient') paused.set(keyOf(one), skip);
                }
                for (const [at, one] of asked.entries()) {
                  const earlier = paused.get(keyOf(one));
                  if (earlier !== undefined && !skips.has(at)) skips.set(at, earlier);
                }
                return skips;
              },
            }),
          ),
      };
    },
  },
  'a lacking consent is ignored when a job is taken': {
    says: /was sent to: no consent was on record/,
    store: (store) => ({
      claim: (request, decide) =>
        store.claim(request, (found) =>
          decide({
            ...found,
            suppressed: (asked) => found.suppressed(asked.map((one) => ({ ...one, needsConsent: false }))),
          }),
        ),
    }),
  },
  'the recheck ignores consents': {
    from: 200,
    says: /was sent to: no consent was on record/,
    store: (store) => ({
      async stillOwned(claimId, request) {
        const { suppressed, ...found } = await store.stillOwned(claimId, request);
        return { ...found, suppressed: new Map([...suppressed].filter(([, { code }]) => code !== 'no_consent')) };
      },
    }),
  },
  'the begin of an attempt ignores consents': {
    says: /was sent to: no consent was on record/,
    store: (store, tables) => ({
      beginAttempts: (owned, request) => withoutConsents(tables, () => store.beginAttempts(owned, request)),
    }),
  },
  'an older consent beats a newer withdrawal': {
    says: /was sent to: no consent was on record/,
    store: (store, tables) =>
      withWords(store, { tables, change: (word) => ({ ...word, said_at: '2020-01-01T00:00:00Z' }), kind: 'withdrawn' }),
  },
  'an imported consent beats a withdrawal': {
    says: /was sent to: no consent was on record/,
    store: (store, tables) =>
      withWords(store, { tables, change: (word) => ({ ...word, precedence: 0 }), kind: 'given' }),
  },
  'what a cap has counted is lost with the claim': {
    says: /is one too many on its day/,
    store: (store, tables) => ({
      async claim(request, decide) {
        const before = new Map(tables.sentCounts);
        const claim = await store.claim(request, decide);
        tables.sentCounts = before;
        return claim;
      },
    }),
  },
  'a cap counts a message twice': {
    says: /was kept waiting, although there was room/,
    store: (store) => ({
      claim: (request, decide) =>
        store.claim(request, (found) =>
          decide({
            ...found,
            async takeCapacity(asked) {
              await found.takeCapacity(asked);
              return found.takeCapacity(asked);
            },
          }),
        ),
    }),
  },
  'an entry for everything does not cover what is required': {
    says: /was sent to: the recipient was suppressed \(everything\)/,
    store: (store) => ({
      claim: (request, decide) =>
        store.claim(request, (found) =>
          decide({
            ...found,
            suppressed: async (asked) =>
              new Map([...(await found.suppressed(asked))].filter(([, { isFallingBack }]) => !isFallingBack)),
          }),
        ),
    }),
  },
  'the people of an audience are those of the first time that it was asked': {
    says: /did not belong to the audience|belonged to the audience of .* and was forgotten/,
    store(store) {
      const known = new Map<string, Awaited<ReturnType<Found['audience']>>>();
      const first =
        (found: Found): Found['audience'] =>
        async (asked) => {
          const key = JSON.stringify({ ...asked, among: null });
          const people = known.get(key) ?? (await found.audience({ ...asked, among: null }));
          known.set(key, people);
          return people.filter(({ id }) => asked.among === null || asked.among.includes(id));
        };
      return {
        claim: (request, decide) => store.claim(request, (found) => decide({ ...found, audience: first(found) })),
      };
    },
  },
  'who joins an audience gets the occurrence that has begun': {
    says: /did not belong to the audience/,
    store: (store) => ({
      claim: (request, decide) =>
        store.claim(request, (found) =>
          decide({ ...found, audience: (asked) => found.audience({ ...asked, among: null }) }),
        ),
    }),
  },
  'who has left an audience is still sent to': {
    says: /had left the audience .* and was begun/,
    from: 415,
    store(store) {
      const known = new Map<string, Awaited<ReturnType<Found['audience']>>[number]>();
      return {
        claim: (request, decide) =>
          store.claim(request, (found) =>
            decide({
              ...found,
              async audience(asked) {
                const people = await found.audience(asked);
                for (const person of people) known.set(person.id, person);
                return asked.among === null ? people : asked.among.flatMap((id) => known.get(id) ?? []);
              },
            }),
          ),
      };
    },
  },
  'a job that was told to stop begins': {
    says: /began: it was/,
    store: (store, tables) => ({
      beginAttempts(owned, request) {
        const job = tables.jobs.get(owned.id);
        if (job !== undefined) job.stop_reason = null;
        return store.beginAttempts(owned, request);
      },
    }),
  },
  'a job that was told to stop stays claimed': {
    says: /was sent to: it was/,
    store: (store) => ({
      stillOwned: async (claimId, request) => ({
        ...(await store.stillOwned(claimId, request)),
        owned: new Set(request.waiting.map(({ jobId }) => jobId)),
      }),
    }),
  },
  'an outcome is lost': {
    says: /has accepted, the ledger says/,
    store: (store) => ({ record: (batch) => store.record({ ...batch, outcomes: batch.outcomes.slice(1) }) }),
  },
  'a retry does not wait': {
    says: /attempt .* began before its time/,
    store: (store) => ({
      record: (batch) =>
        store.record({
          ...batch,
          outcomes: batch.outcomes.map(({ settled, ...outcome }) => ({
            ...outcome,
            settled: { ...settled, nextAttemptAt: settled.nextAttemptAt === null ? null : batch.now },
          })),
          finishes: batch.finishes.map((finish) => ({ ...finish, runAt: finish.runAt === null ? null : batch.now })),
        }),
    }),
  },
  'a wait counts as a failure': {
    says: /has failed, although it only waited/,
    store: (store) => ({
      record: (batch) =>
        store.record({
          ...batch,
          outcomes: batch.outcomes.map(({ settled, ...outcome }) =>
            settled.code !== null && isWait(settled.code)
              ? { ...outcome, settled: { ...settled, status: 'failed', nextAttemptAt: null } }
              : { ...outcome, settled },
          ),
        }),
    }),
  },
  'a reason is stored without its code': {
    says: /has the code null, and the reason/,
    store: (store) => ({
      record: (batch) =>
        store.record({
          ...batch,
          outcomes: batch.outcomes.map(({ settled, ...outcome }) => ({
            ...outcome,
            settled: { ...settled, code: null },
          })),
        }),
    }),
  },
  'every job counts as completed': {
    says: /is completed, but its recipients are not/,
    store: (store) => ({
      record: (batch) =>
        store.record({ ...batch, finishes: batch.finishes.map((finish) => ({ ...finish, status: 'completed' })) }),
    }),
  },
  'a claim ends with its first outcome': {
    says: /is running, and no claim lists it/,
    store: (store, tables) => ({
      async record(batch) {
        await store.record(batch);
        for (const { claimId } of batch.outcomes) tables.claims.delete(claimId);
      },
    }),
  },
  'a claim ends although a job names it': {
    says: /is running, and no claim lists it/,
    from: lastWithoutFailOvers + 1,
    store: (store, tables) => ({
      async record(batch) {
        await store.record(batch);
        for (const id of batch.endedClaims) tables.claims.delete(id);
      },
    }),
  },
  'a job ends although its outcomes are lost': {
    says: /is being sent to, but no worker is running|has no outcome|the ledger/,
    from: lastWithoutFailOvers + 1,
    store: (store, tables) => ({
      async record(batch) {
        await store.record(batch);
        for (const { jobId, claimId, status } of batch.finishes) {
          const job = tables.jobs.get(jobId);
          if (job?.claim_id === claimId && status !== 'pending') Object.assign(job, { status, claim_id: null });
        }
      },
    }),
  },
  'nobody finds the running jobs whose claim is gone': {
    says: /still open/,
    from: lastWithoutFailOvers + 1,
    store: () => ({ restoreClaims: async () => ({ jobs: 0, last: null }) }),
  },
  "nobody takes over a lost worker's jobs": {
    says: /still open/,
    store: () => ({ rescue: async () => null }),
  },
  'an unknown outcome is retried as if it were a failure': {
    says: /may have arrived, and the ledger does not say so/,
    store: (store) => ({
      rescue: (request, settle) =>
        store.rescue(request, (lost) => ({
          ...settle(lost),
          isUnknown: false,
          status: 'waiting',
          nextAttemptAt: request.now,
        })),
    }),
  },
  'a rescue sends again to recipients who were served': {
    says: /was sent to again after it had accepted/,
    store: (store, tables) => ({
      async rescue(request, settle) {
        const jobIds = tables.claims.get(request.claim.id)?.job_ids ?? [];
        const rescued = await store.rescue(request, settle);
        const lines = jobIds.flatMap((id) => [...(tables.deliveries.get(id)?.values() ?? [])]);
        for (const line of lines) if (line.status === 'accepted') line.status = 'queued';
        return rescued;
      },
    }),
  },
};
