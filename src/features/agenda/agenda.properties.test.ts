import fc from 'fast-check';
import ICAL from 'ical.js';
import type { Client } from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { agendaLimits } from '#contract/agenda.ts';
import { calendarLimits } from '#contract/calendar-feeds.ts';
import { ScheduleConfig } from '#contract/schedules.ts';
import { SendingHours } from '#contract/sending-hours.ts';
import { openingAt } from '#domain/sending-hours.ts';
import { agendaOf, listAgendaDay } from '#features/agenda/agenda.service.ts';
import { readCalendar } from '#features/calendar-feeds/read-calendar.service.ts';
import { upcomingOf } from '#features/reminders/upcoming.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { type Db, inTenant } from '#platform/database.ts';
import { sample } from '#testing/sample.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

const zones = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/Santiago',
  'Australia/Lord_Howe',
  'Asia/Kathmandu',
  'Antarctica/Troll',
  'Pacific/Chatham',
  'Africa/Casablanca',
];

/** Sixty days from each of these have a change of clocks, at their beginning or within. */
const now = fc
  .tuple(
    fc.constantFrom('2026-03-27', '2026-02-20', '2026-10-24', '2026-09-05', '2026-10-02', '2027-02-10', '2026-12-01'),
    fc.integer({ min: 0, max: 3 * 86_400 }),
  )
  .map(([day, seconds]) => Temporal.Instant.from(`${day}T00:00:00Z`).add({ seconds }));

const wall = fc
  .tuple(fc.integer({ min: -40, max: 30 }), fc.integer({ min: 0, max: 23 }), fc.constantFrom(0, 15, 30, 59))
  .map(([days, hour, minute]) => ({ days, hour, minute }));

const reminder = fc.record({
  kind: fc.constantFrom('once', 'daily', 'weekly', 'monthly', '*/40 * * * *', '30 2 * * *', '0 */5 * * 1-5'),
  start: wall,
  isInstant: fc.boolean(),
  endsAfter: fc.option(fc.integer({ min: 0, max: 60 }), { nil: null }),
  timezone: fc.constantFrom(...zones),
  pausedFor: fc.option(fc.integer({ min: 1, max: 30 }), { nil: null, freq: 4 }),
  isByText: fc.boolean(),
  /** Which of the first occurrences has a job that was cancelled. */
  cancelled: fc.option(fc.integer({ min: 0, max: 3 }), { nil: null }),
});

const hours = fc
  .record({
    days: fc.constantFrom([1, 2, 3, 4, 5], [1, 2, 3, 4, 5, 6, 7], [3]),
    times: fc.constantFrom(
      { from: '08:00', to: '20:00' },
      { from: '22:00', to: '02:30' },
      { from: '00:00', to: '23:59' },
    ),
    timezone: fc.constantFrom(...zones),
  })
  .map(({ days, times, timezone }) =>
    SendingHours.parse({ enabled: true, days, ...times, zone: 'workspace', timezone, channels: ['sms'] }),
  );

const scene = fc.record({
  now,
  viewer: fc.constantFrom(...zones),
  reminders: fc.array(reminder, { minLength: 1, maxLength: 5 }),
  hours: fc.option(hours, { nil: null }),
  allPausedFor: fc.option(fc.integer({ min: 1, max: 40 }), { nil: null, freq: 3 }),
  /** In how many hours a message of the API is tried again that began before. */
  retriedIn: fc.option(fc.integer({ min: 0, max: 100 }), { nil: null }),
});
type Scene = typeof scene extends fc.Arbitrary<infer One> ? One : never;

describe('the counts of the agenda', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    // It would send what is due.
    await cuebird.stopDeliveries();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  it('equal the forecast of each reminder, on every day, over changes of clocks and in every zone', async () => {
    await fc.assert(
      fc.asyncProperty(scene, async (one) => {
        const ids = await arrange(one);
        await inTenant(cuebird.database.app, { workspaceId: workspace, userId: dana.userId }, async (db) => {
          const ctx = contextOf(db, one);
          const asked = { timezone: one.viewer };
          const { data, is_complete: isComplete } = await agendaOf(ctx, { ...asked, entries: 0 });
          expect(isComplete).toBe(true);
          const forecast = await forecastOf(ctx, { ...one, ids });
          expect(new Map(data.map(({ day, occurrences }) => [day, occurrences]))).toEqual(forecast);
          for (const [day, count] of [...forecast].slice(0, 2)) {
            const { data: entries } = await listAgendaDay(ctx, { ...asked, day, limit: 200 });
            expect(entries).toHaveLength(Math.min(count, 200));
          }
        });
      }),
      { seed: sample.numberFor('agenda'), numRuns: sample.takesAll ? 200 : 30 },
    );
  });

  it('are those of a calendar feed, day by day, for all of a reminder that a feed holds', async () => {
    const { json } = await dana.call('POST', '/api/calendar-feeds', { workspace, body: { shows: 'workspace' } });
    const token = json.url.split('/').at(-1);
    await fc.assert(
      fc.asyncProperty(scene, async (one) => {
        const ids = await arrange(one);
        const ports = { db: cuebird.database.app, billing: 'off', url: () => 'https://cuebird.example' } as const;
        const file = await (await readCalendar({ ...ports, now: () => one.now }, { token, hops: 0 })).text();
        const events = new ICAL.Component(ICAL.parse(file)).getAllSubcomponents('vevent');
        const found = events.map((event) => ({
          url: String(event.getFirstPropertyValue('url')),
          day: new ICAL.Event(event).startDate.toJSDate().toISOString().slice(0, 10),
        }));
        const { timesOfReminder } = calendarLimits;
        await inTenant(cuebird.database.app, { workspaceId: workspace, userId: dana.userId }, async (db) => {
          const ctx = contextOf(db, one);
          let left = found.length;
          for (const id of ids) {
            const { data } = await agendaOf(ctx, { timezone: 'UTC', reminder: id, entries: 0 });
            const days = data.flatMap(({ day, occurrences }) => Array.from({ length: occurrences }, () => day));
            const own = found.filter(({ url }) => url.endsWith(`/reminders/${id}`)).map(({ day }) => day);
            expect(own).toEqual(days.slice(0, timesOfReminder));
            left -= own.length;
          }
          expect(left).toBe(one.retriedIn === null ? 0 : 1);
        });
      }),
      { seed: sample.numberFor('agenda of a feed'), numRuns: sample.takesAll ? 200 : 20 },
    );
  });

  const contextOf = (db: Db, { now: at }: Scene): TenantContext => ({
    db,
    workspaceId: workspace,
    now: at,
    role: 'owner',
    actor: { kind: 'user', userId: dana.userId },
  });

  /** The reminders of a scene in the workspace, in place of those before. */
  async function arrange({ reminders, hours: sendingHours, now: at, allPausedFor, retriedIn }: Scene) {
    await database.query('delete from jobs where workspace_id = $1', [workspace]);
    await database.query('delete from reminders where workspace_id = $1', [workspace]);
    await database.query(
      `update workspaces set settings = jsonb_build_object('sendingHours', $2::jsonb), reminders_paused_until = $3 where id = $1`,
      [
        workspace,
        JSON.stringify(sendingHours),
        allPausedFor === null ? null : at.add({ hours: allPausedFor * 24 }).toString(),
      ],
    );
    if (retriedIn !== null)
      await database.query(
        `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, started_at, attempts)
         values ($1, 'Message', 'api_notification', 'pending', $2::timestamptz - interval '3 hours', $3, $2, 1)`,
        [workspace, at.toString(), at.add({ hours: retriedIn }).toString()],
      );
    const ids: string[] = [];
    for (const { pausedFor, isByText, cancelled, ...of } of reminders) {
      const schedule = scheduleOf(of, at);
      const { rows } = await database.query<{ id: string }>(
        `insert into reminders (workspace_id, created_by, name, status, paused_until, schedule_config, content, metadata)
         values ($1, $2, 'Rent', $3, $4, $5, $6, $7) returning id`,
        [
          workspace,
          dana.userId,
          pausedFor === null ? 'active' : 'paused',
          pausedFor === null ? null : at.add({ hours: pausedFor * 24 }).toString(),
          schedule,
          sampleReminder.content,
          { ...sampleReminder.metadata, channels: isByText ? ['sms'] : ['sms', 'email'] },
        ],
      );
      const id = rows[0]?.id ?? '';
      ids.push(id);
      if (cancelled === null) continue;
      const ctx = { db: cuebird.database.app, workspaceId: workspace, now: at, role: 'owner' as const };
      const actor = { kind: 'user' as const, userId: dana.userId };
      const { occurrences } = await inTenant(cuebird.database.app, { workspaceId: workspace, userId: null }, (db) =>
        upcomingOf({ ...ctx, db, actor }, { id, count: 4 }),
      );
      const time = occurrences[cancelled];
      if (time === undefined) continue;
      await database.query(
        `insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at, completed_at)
         values ($1, $2, 'Rent', 'reminder', 'cancelled', $3, $3, now())`,
        [workspace, id, time],
      );
    }
    return ids;
  }

  /** The occurrences of each day by the forecast of each reminder, moved to the opening of the sending hours, and what is tried again. */
  async function forecastOf(
    ctx: TenantContext,
    { ids, reminders, viewer, hours: kept, retriedIn }: Scene & { ids: string[] },
  ) {
    const today = ctx.now.toZonedDateTimeISO(viewer).toPlainDate();
    const days = Array.from({ length: agendaLimits.days }, (_, at) => today.add({ days: at }).toString());
    const counts = new Map<string, number>();
    for (const [at, id] of ids.entries()) {
      const { occurrences } = await upcomingOf(ctx, { id, count: 3_000 });
      let last = ctx.now.subtract({ milliseconds: 1 });
      for (const due of occurrences.map((text) => Temporal.Instant.from(text))) {
        // What an earlier one has waited for is sent with it, and a start that was just missed has its job.
        if (Temporal.Instant.compare(due, last) <= 0) continue;
        last =
          kept !== null && reminders[at]?.isByText === true
            ? openingAt(kept, { at: due, timezone: kept.timezone })
            : due;
        const day = last.toZonedDateTimeISO(viewer).toPlainDate().toString();
        if (days.includes(day)) counts.set(day, (counts.get(day) ?? 0) + 1);
      }
    }
    if (retriedIn !== null) {
      const day = ctx.now.add({ hours: retriedIn }).toZonedDateTimeISO(viewer).toPlainDate().toString();
      counts.set(day, (counts.get(day) ?? 0) + 1);
    }
    return new Map([...counts].toSorted(([one], [other]) => (one < other ? -1 : 1)));
  }
});

function scheduleOf(
  {
    kind,
    start,
    isInstant,
    endsAfter,
    timezone,
  }: Pick<Scene['reminders'][number], 'kind' | 'start' | 'isInstant' | 'endsAfter' | 'timezone'>,
  at: Temporal.Instant,
): ScheduleConfig {
  const { days, ...time } = start;
  const begins = at.toZonedDateTimeISO(timezone).toPlainDate().add({ days }).toPlainDateTime(time);
  const isCron = kind.includes(' ');
  return ScheduleConfig.parse({
    type: 'scheduled',
    ...(isCron ? { scheduleType: 'custom', customCron: kind } : { scheduleType: kind }),
    startDate: isInstant
      ? begins.toZonedDateTime(timezone).toInstant().toString()
      : begins.toString({ smallestUnit: 'second' }),
    ...(endsAfter !== null && { endDate: begins.add({ days: endsAfter }).toString({ smallestUnit: 'second' }) }),
    timezone,
  });
}
