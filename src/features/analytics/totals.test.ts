import fc from 'fast-check';
import type { Client, PoolClient } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { analyticsLimits } from '#contract/analytics.ts';
import { createHorizon, totalOnce, totalSome } from '#engine/maintenance/totaller.ts';
import { countPeople } from '#features/analytics/analytics.db.ts';
import { latencyOf } from '#features/analytics/analytics.service.ts';
import { readDeliveries } from '#features/analytics/deliveries.db.ts';
import { countDeliveries } from '#features/dashboard/day.db.ts';
import { beginsOf, type DayRange, namedDays } from '#features/dashboard/day.service.ts';
import { neverAborts, systemClock } from '#platform/clock.ts';
import { inTenant } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { connectOwner } from '#testing/owner.ts';
import { openTables, type Tables } from '#testing/tables.ts';

const log = createLog('silent');

/** As the ledger has it, read by a query of the test's own. */
type Message = {
  job: string;
  due: number;
  channel: string;
  recipient: string;
  contact: string | null;
  status: string;
  reason: string | null;
  /** When it was accepted; null where it was not. */
  accepted: number | null;
};

const isSent = ({ status }: Message) => ['accepted', 'delivered'].includes(status);
const isFailed = ({ status }: Message) => ['failed', 'unknown'].includes(status);
const isMissed = (message: Message) => isFailed(message) || message.status === 'skipped';
/** A number is one person over SMS and WhatsApp. */
const addressOf = (channel: string, recipient: string) => `${channel === 'whatsapp' ? 'sms' : channel} ${recipient}`;
const personOf = ({ contact, channel, recipient }: Message) => contact ?? addressOf(channel, recipient);

function counted<T>(of: readonly T[], key: (one: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const one of of) counts[key(one)] = (counts[key(one)] ?? 0) + 1;
  return counts;
}

function groups<T>(of: readonly T[], key: (one: T) => string): T[][] {
  return [...Map.groupBy(of, key).values()];
}

/** The figures of a range by one look at each message. */
function figuresOf(all: readonly Message[], range: DayRange) {
  const dayOf = ({ due }: Message) =>
    Temporal.Instant.fromEpochMilliseconds(due).toZonedDateTimeISO(range.timezone).toPlainDate().toString();
  const messages = all.filter((message) => dayOf(message) >= range.from && dayOf(message) <= range.to);
  const inRun = groups(messages, (message) => `${message.job} ${personOf(message)}`);
  const people = groups(messages, personOf).filter((of) => of.every(isMissed));
  return {
    days: counted(
      messages.filter((message) => isSent(message) || isFailed(message)),
      (message) => `${dayOf(message)} ${message.channel} ${isSent(message) ? 'sent' : 'failed'}`,
    ),
    reasons: counted(
      messages.filter(isFailed),
      ({ channel, reason }) => `${channel} ${reason ?? 'No reason was given'}`,
    ),
    people: {
      reached: inRun.filter((of) => of.some(isSent)).length,
      missed: inRun.filter((of) => of.every(isMissed)).length,
    },
    unreached: people
      .map(
        (of) => `${of[0] === undefined ? '' : personOf(of[0])} ${of.length} ${Math.max(...of.map(({ due }) => due))}`,
      )
      .toSorted(),
    latencies: messages
      .flatMap(({ accepted, due }) => (accepted === null ? [] : [Math.max(accepted - due, 0)]))
      .toSorted((a, b) => a - b),
  };
}

type ValueOf<T> = T extends fc.Arbitrary<infer V> ? V : never;

/** Over days on which clocks change, in zones whose days begin at quarters of an hour, and up to today. */
const today = Temporal.Now.plainDateISO('UTC').add({ days: 1 }).toString();
const ranges: readonly DayRange[] = [
  { from: '2026-03-07', to: '2026-03-08', timezone: 'America/New_York' },
  { from: '2026-03-07', to: '2026-03-09', timezone: 'Asia/Kathmandu' },
  { from: '2026-04-04', to: '2026-04-05', timezone: 'Australia/Lord_Howe' },
  { from: '2026-03-01', to: today, timezone: 'UTC' },
];

const At = fc.oneof(
  // Quarters around the changes of clocks, and some minutes.
  fc.record({
    from: fc.constantFrom(
      '2026-03-07T17:45:00Z',
      '2026-03-08T04:45:00Z',
      '2026-03-08T18:00:00Z',
      '2026-04-04T13:00:00Z',
    ),
    quarters: fc.integer({ min: 0, max: 3 }),
    seconds: fc.integer({ min: 0, max: 899 }),
  }),
  fc.record({ hoursAgo: fc.integer({ min: 0, max: 5 }), quarters: fc.integer({ min: 0, max: 3 }) }),
);
type At = ValueOf<typeof At>;

/** In whole milliseconds: of others, two readers may round a difference in two ways. */
const instantOf = (at: At): Temporal.Instant =>
  'from' in at
    ? Temporal.Instant.from(at.from).add({ minutes: at.quarters * 15, seconds: at.seconds })
    : Temporal.Now.instant()
        .subtract({ hours: at.hoursAgo, minutes: at.quarters * 15 })
        .round('millisecond');

const Status = fc.constantFrom('accepted', 'delivered', 'failed', 'unknown', 'skipped', 'waiting', 'queued');
const Outcome = fc.record({
  status: Status,
  afterMs: fc.oneof(fc.integer({ min: -50, max: 120 }), fc.integer({ min: 100, max: 3_000_000 })),
  reason: fc.constantFrom(null, '', 'No such mailbox', 'Refused'),
});
const Sent = fc.record({
  outcome: Outcome,
  person: fc.integer({ min: 0, max: 4 }),
  channel: fc.constantFrom('email', 'sms', 'whatsapp', 'slack', 'webhook'),
});
const Pick = fc.nat({ max: 1_000 });
const Write = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      act: fc.constant('send' as const),
      at: At,
      to: fc.array(Sent, { maxLength: 5 }),
      isTest: fc.boolean(),
    }),
  },
  { weight: 3, arbitrary: fc.record({ act: fc.constant('settle' as const), of: Pick, outcome: Outcome }) },
  fc.record({ act: fc.constant('confirm' as const), of: Pick }),
  fc.record({ act: fc.constant('move' as const), of: Pick, at: At }),
  fc.record({ act: fc.constant('forget' as const), of: Pick }),
  fc.record({ act: fc.constant('erase' as const), of: Pick }),
);
type Write = ValueOf<typeof Write>;
const Act = fc.oneof(
  { weight: 6, arbitrary: Write },
  { weight: 4, arbitrary: fc.record({ act: fc.constant('total' as const), steps: fc.integer({ min: 1, max: 6 }) }) },
  fc.record({ act: fc.constant('begin' as const), write: Write }),
  fc.record({ act: fc.constant('end' as const), how: fc.constantFrom('commit' as const, 'rollback' as const) }),
  fc.record({ act: fc.constant('half' as const), kept: Write, undone: Write, last: Write }),
);

describe('the analytics of deliveries, by totals and from the ledger', () => {
  let tables: Tables;
  let late: Client;
  let engine: PoolClient;
  const contacts = ['01900000-0000-7000-8000-000000000001', '01900000-0000-7000-8000-000000000002'];

  beforeAll(async () => {
    tables = await openTables();
    late = await connectOwner(tables.url);
    engine = await tables.database.engine.connect();
  });
  afterAll(async () => {
    engine.release();
    await late.end();
    await tables.close();
  });

  async function messagesOf(workspaceId: string): Promise<Message[]> {
    const { rows } = await tables.owner.query<Message>(
      `select j.id as job, extract(epoch from d.scheduled_for)::float8 * 1000 as due, d.channel, d.recipient, d.contact_id as contact, d.status,
              nullif(d.reason, '') as reason,
              case when d.status in ('accepted', 'delivered') then
                1000 * extract(epoch from coalesce((d.attempt_history -> 0 ->> 'answered')::timestamptz, d.completed_at))::float8 end as accepted
         from deliveries d, jobs j
        where d.workspace_id = $1 and j.id = d.job_id and j.scheduled_for = d.scheduled_for and j.type <> 'test_reminder'`,
      [workspaceId],
    );
    return rows.map((row) => ({
      ...row,
      // PostgreSQL writes the milliseconds that have passed.
      due: Math.floor(row.due + 1e-4),
      accepted: row.accepted === null ? null : Math.round(row.accepted),
    }));
  }

  const read = <T>(workspaceId: string, work: Parameters<typeof inTenant<T>>[2]) =>
    inTenant(tables.database.app, { workspaceId, userId: null, isReadOnly: true }, work);

  async function expectRight(workspaceId: string, among = ranges) {
    const messages = await messagesOf(workspaceId);
    for (const range of among) {
      const of = { workspaceId, begins: beginsOf(range) };
      const found = await read(workspaceId, (db) => readDeliveries(db, { ...of, most: analyticsLimits }));
      const { latencies, ...expected } = figuresOf(messages, range);
      const days = namedDays(found.days, range).flatMap(({ day, channel, sent, failed }) => [
        [`${day} ${channel} sent`, sent] as const,
        [`${day} ${channel} failed`, failed] as const,
      ]);
      expect(
        {
          days: Object.fromEntries(days.filter(([, count]) => count > 0)),
          reasons: Object.fromEntries(
            found.reasons.map(({ channel, reason, count }) => [`${channel} ${reason}`, count]),
          ),
          people: found.people,
          unreached: found.unreached
            .map(
              (one) =>
                `${one.contact_id ?? addressOf(one.channel, one.recipient)} ${one.missed} ${Date.parse(one.last_due)}`,
            )
            .toSorted(),
        },
        `${range.from} to ${range.to} in ${range.timezone}`,
      ).toEqual(expected);
      expectNear(latencyOf(found.latencies), latencies);
      if (among === ranges)
        expect(namedDays(await read(workspaceId, (db) => countDeliveries(db, of)), range)).toEqual(
          namedDays(found.days, range),
        );
    }
  }

  /** Five in a hundred at most, and no millisecond below a tenth of a second. */
  function expectNear(found: ReturnType<typeof latencyOf>, sorted: readonly number[]) {
    if (sorted.length === 0) return expect(found).toBeNull();
    const exact = (share: number) => {
      const at = (sorted.length - 1) * share;
      const [low = 0, high = 0] = [sorted[Math.floor(at)], sorted[Math.ceil(at)]];
      return low + (high - low) * (at % 1);
    };
    for (const [share, seconds = Number.NaN] of [
      [0.5, found?.median],
      [0.95, found?.p95],
      [0.99, found?.p99],
    ] as const)
      expect(Math.abs(seconds * 1_000 - exact(share))).toBeLessThanOrEqual(exact(share) * 0.05 + 0.001);
  }

  /** Writes as whoever writes in the product would, apart from the job that an open transaction holds. */
  async function write(
    client: Pick<Client, 'query'>,
    { workspaceId, busy, one }: { workspaceId: string; busy: string | null; one: Write },
  ): Promise<string | null> {
    const values = [workspaceId, busy ?? '00000000-0000-0000-0000-000000000000'];
    const pick = async (of: number) => {
      const { rows } = await client.query<{ id: string }>(
        'select id from jobs where workspace_id = $1 and id <> $2 order by id',
        values,
      );
      return rows[of % Math.max(rows.length, 1)]?.id ?? null;
    };
    const settle = async (job: string, outcome: ValueOf<typeof Outcome>) =>
      client.query(
        `update deliveries set status = $2, reason = $3, attempt_history = null,
                completed_at = case when $2 not in ('waiting', 'queued') then scheduled_for + $4 * interval '1 ms' end
          where job_id = $1 and (job_id, channel, recipient) = (select job_id, channel, recipient from deliveries where job_id = $1 limit 1)`,
        [job, outcome.status, outcome.reason, outcome.afterMs],
      );
    if (one.act === 'send') {
      const { rows } = await client.query<{ id: string; scheduled_for: string }>(
        `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, created_at) values ($1, 'Rent', $2, 'completed', $3, $3, $3)
         returning id, scheduled_for::text`,
        [workspaceId, one.isTest ? 'test_reminder' : 'api_notification', instantOf(one.at).toString()],
      );
      const [job] = rows;
      if (job === undefined) throw new Error('no job was inserted');
      for (const { person, channel, outcome } of one.to)
        await client.query(
          `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, contact_id, status, reason, completed_at)
           select $1, $2, at, $4, $5, $6, $7, $8, case when $7 not in ('waiting', 'queued') then at + $9 * interval '1 ms' end
             from (select $3::timestamptz as at) due on conflict do nothing`,
          [
            workspaceId,
            job.id,
            job.scheduled_for,
            channel,
            channel === 'webhook' ? `https://${person}.example.com/in` : `p${person}@example.com`,
            contacts[person] ?? null,
            outcome.status,
            outcome.reason,
            outcome.afterMs,
          ],
        );
      return job.id;
    }
    const job = await pick(one.of);
    if (job === null) return null;
    if (one.act === 'settle') await settle(job, one.outcome);
    else if (one.act === 'confirm')
      await client.query(
        `update deliveries set status = 'delivered', completed_at = completed_at + interval '1 hour',
                attempt_history = jsonb_build_array(jsonb_build_object('status', 'accepted', 'answered', completed_at))
          where job_id = $1 and status = 'accepted'`,
        [job],
      );
    else if (one.act === 'move')
      await client.query('update jobs set scheduled_for = $2 where id = $1', [job, instantOf(one.at).toString()]);
    else if (one.act === 'forget') await client.query('delete from jobs where id = $1', [job]);
    else await client.query('delete from deliveries where job_id = $1', [job]);
    return job;
  }

  it('are those of one look at each message, whatever changed since, in every zone, while transactions are open', async () => {
    let runs = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(Act, { minLength: 4, maxLength: 12 }), async (acts) => {
        runs += 1;
        const { owner } = tables;
        const workspaceId = await tables.insertWorkspace(`totals${runs}`);
        const until = Temporal.Now.instant()
          .round({ smallestUnit: 'minute', roundingIncrement: 15, roundingMode: 'floor' })
          .subtract({ hours: 2 });
        let busy: string | null = null;
        let isOpen = false;
        for (const [at, one] of acts.entries()) {
          if (one.act === 'total') {
            for (let step = 0; step < one.steps; step += 1)
              await totalSome(engine, { id: workspaceId, jobs: 2, until });
          } else if (one.act === 'begin') {
            if (isOpen) continue;
            await late.query('begin');
            isOpen = true;
            busy = await write(late, { workspaceId, busy, one: one.write });
          } else if (one.act === 'end') {
            if (isOpen) await late.query(one.how);
            isOpen = false;
            busy = null;
          } else if (one.act === 'half') {
            await owner.query('begin');
            await write(owner, { workspaceId, busy, one: one.kept });
            await owner.query('savepoint half');
            await write(owner, { workspaceId, busy, one: one.undone });
            await owner.query('rollback to half');
            await write(owner, { workspaceId, busy, one: one.last });
            await owner.query('commit');
          } else await write(owner, { workspaceId, busy, one });
          await expectRight(workspaceId, ranges.slice(at % ranges.length).slice(0, 1));
        }
        if (isOpen) await late.query('commit');
        while ((await totalSome(engine, { id: workspaceId, jobs: 2, until })) !== null);
        await expectRight(workspaceId);
        const everybody = await read(workspaceId, (db) => countPeople(db, { workspaceId }));
        expect(everybody).toEqual(
          figuresOf(await messagesOf(workspaceId), { from: '2000-01-01', to: today, timezone: 'UTC' }).people,
        );
        const { rows: left } = await owner.query('select from totals_marks where workspace_id = $1 and quarter < $2', [
          workspaceId,
          until.toString(),
        ]);
        expect(left).toEqual([]);
        await owner.query('delete from workspaces where id = $1', [workspaceId]);
        const { rows } = await owner.query(
          `select name from (
             select workspace_id, 'marks' as name from totals_marks union all select workspace_id, 'channels' from totals_channels
              union all select workspace_id, 'reasons' from totals_reasons union all select workspace_id, 'people' from totals_people
              union all select workspace_id, 'misses' from totals_misses union all select workspace_id, 'progress' from totals_progress) rows
            where workspace_id = $1`,
          [workspaceId],
        );
        expect(rows).toEqual([]);
      }),
      { numRuns: 12 },
    );
  }, 180_000);

  it('are added up as far as every transaction that wrote before has ended', async () => {
    const workspaceId = await tables.insertWorkspace('horizon');
    await write(tables.owner, {
      workspaceId,
      busy: null,
      one: { act: 'send', at: { from: '2026-03-08T04:45:00Z', quarters: 0, seconds: 0 }, to: [], isTest: false },
    });
    const horizon = createHorizon();
    const deps = { pool: tables.database.engine, clock: systemClock, log };
    const isTotalled = async () => {
      await totalOnce(deps, { horizon, signal: neverAborts });
      const { rows } = await tables.owner.query('select from totals_progress where workspace_id = $1', [workspaceId]);
      return rows.length > 0;
    };
    await late.query('begin');
    await write(late, {
      workspaceId,
      busy: null,
      one: { act: 'send', at: { hoursAgo: 0, quarters: 0 }, to: [], isTest: false },
    });
    expect([await isTotalled(), await isTotalled()]).toEqual([false, false]);
    await late.query('commit');
    // Transactions of other databases on this server count, too.
    await expect.poll(isTotalled, { timeout: 60_000 }).toBe(true);
  });

  it('leave the hot path without a mark: only what was due more than an hour ago has one', async () => {
    const workspaceId = await tables.insertWorkspace('marks');
    const marks = async () =>
      (await tables.owner.query('select from totals_marks where workspace_id = $1', [workspaceId])).rows.length;
    const to = [
      { person: 0, channel: 'email' as const, outcome: { status: 'accepted' as const, afterMs: 10, reason: null } },
    ];
    await write(tables.owner, {
      workspaceId,
      busy: null,
      one: { act: 'send', at: { hoursAgo: 0, quarters: 3 }, to, isTest: false },
    });
    await tables.owner.query("update deliveries set status = 'delivered' where workspace_id = $1", [workspaceId]);
    expect(await marks()).toBe(0);
    await write(tables.owner, {
      workspaceId,
      busy: null,
      one: { act: 'send', at: { hoursAgo: 2, quarters: 0 }, to, isTest: false },
    });
    expect(await marks()).toBe(1);
  });
});
