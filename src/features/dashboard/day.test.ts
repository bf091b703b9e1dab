import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('the day', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const day = async () => (await dana.call('GET', '/api/dashboard/day', { workspace })).json;

  const insertJob = async (job: { name?: string; status: string; at: string; of?: string; type?: string }) => {
    const { rows } = await database.query<{ id: string }>(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, completed_at, paused_at, error_message, payload)
       values ($1, $2, $5, $3, $4::timestamptz, greatest($4::timestamptz, now() + interval '10 minutes'), case when $3 in ('pending', 'paused') then null else $4::timestamptz end,
               case $3 when 'paused' then now() end, case $3 when 'failed' then '1 of 2 failed: No such mailbox' end,
               '{"channels": ["email", "sms"], "recipients": ["a@example.com", "+14155552671"]}')
       returning id`,
      [job.of ?? workspace, job.name ?? 'Rent', job.status, job.at, job.type ?? 'api_notification'],
    );
    return rows[0]!.id;
  };

  const inHours = (hours: number) =>
    Temporal.Now.instant()
      .add({ minutes: Math.round(hours * 60) })
      .toString();

  it('leaves out tests of reminders, of which nobody has to hear', async () => {
    await insertJob({ status: 'failed', at: inHours(-1), type: 'test_reminder' });
    await insertJob({ status: 'pending', at: inHours(1), type: 'test_reminder' });
    const { upcoming, failures } = await day();
    expect([upcoming.count, failures.count]).toEqual([0, 0]);
  });

  describe('ahead', () => {
    it('lists the occurrences of the next 24 hours, soonest first', async () => {
      await insertJob({ name: 'Tonight', status: 'pending', at: inHours(5) });
      await insertJob({ name: 'Soon', status: 'pending', at: inHours(1) });
      await insertJob({ name: 'Too late', status: 'pending', at: inHours(24.1) });
      await insertJob({ name: 'Paused', status: 'paused', at: inHours(2) });
      const { upcoming } = await day();
      expect(upcoming).toMatchObject({ count: 3, is_complete: true });
      expect(upcoming.next).toMatchObject([
        { name: 'Soon', state: 'scheduled', timezone: null, channels: ['email', 'sms'], recipients: 2, people: 0 },
        { name: 'Paused', state: 'paused' },
        { name: 'Tonight' },
      ]);
    });

    it('contains a reminder’s zone, channels and number of recipients', async () => {
      const zone = 'Asia/Kathmandu';
      const at = Temporal.Now.zonedDateTimeISO(zone)
        .add({ hours: 2 })
        .toPlainDateTime()
        .toString({ smallestUnit: 'second' });
      const created = await dana.call('POST', '/api/reminders', {
        workspace,
        body: {
          ...sampleReminder,
          status: 'active',
          schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: at, timezone: zone },
        },
      });
      expect(created.status).toBe(201);
      const { upcoming } = await day();
      expect(upcoming.next).toMatchObject([
        {
          name: sampleReminder.name,
          timezone: zone,
          channels: sampleReminder.metadata.channels,
          recipients: sampleReminder.content.recipients.length,
        },
      ]);
    });

    it('counts what the agenda has until then: each occurrence of a schedule, and what waits for another attempt', async () => {
      const hourly = { type: 'scheduled', scheduleType: 'custom', customCron: '0 * * * *', timezone: 'UTC' };
      const body = { ...sampleReminder, name: 'Each hour', status: 'active', schedule_config: hourly };
      expect((await dana.call('POST', '/api/reminders', { workspace, body })).status).toBe(201);
      const begun = await insertJob({ name: 'Began', status: 'pending', at: inHours(-1) });
      await database.query(`update jobs set run_at = $2, started_at = scheduled_for, attempts = 1 where id = $1`, [
        begun,
        inHours(0.01),
      ]);
      const { upcoming } = await day();
      expect(upcoming.count).toBe(25);
      expect(upcoming.next).toContainEqual(expect.objectContaining({ name: 'Began', state: 'waiting', job_id: begun }));
      expect(upcoming.next).toContainEqual(expect.objectContaining({ name: 'Each hour', state: 'scheduled' }));
      const { json: agenda } = await dana.call('GET', '/api/agenda', { workspace });
      const until = Date.now() + 24 * 3_600_000;
      const listed = agenda.data.flatMap(({ entries }: { entries: { id: string; at: string }[] }) => entries);
      expect(listed.slice(0, 1)).toEqual(upcoming.next.slice(0, 1));
      expect(upcoming.next.every(({ at }: { at: string }) => Date.parse(at) < until)).toBe(true);
    });

    it('lists six and counts all', async () => {
      for (let n = 1; n <= 9; n += 1) await insertJob({ status: 'pending', at: inHours(n) });
      const { upcoming } = await day();
      expect([upcoming.next.length, upcoming.count]).toEqual([6, 9]);
    });
  });

  describe('behind', () => {
    it('lists the failures of the last seven days, newest first, with the reason', async () => {
      await insertJob({ name: 'Older', status: 'failed', at: inHours(-30) });
      const newest = await insertJob({ name: 'Newer', status: 'failed', at: inHours(-1) });
      await insertJob({ name: 'Long ago', status: 'failed', at: inHours(-24 * 7.1) });
      for (const status of ['completed', 'cancelled']) await insertJob({ status, at: inHours(-1) });
      const { failures } = await day();
      expect(failures.count).toBe(2);
      expect(failures.latest.map((job: { name: string }) => job.name)).toEqual(['Newer', 'Older']);
      expect(failures.latest[0]).toMatchObject({ job_id: newest, error_message: '1 of 2 failed: No such mailbox' });
    });

    it('omits a failure that is retried', async () => {
      const id = await insertJob({ status: 'failed', at: inHours(-1) });
      expect((await day()).failures.count).toBe(1);
      expect((await dana.call('POST', `/api/jobs/${id}/retry`, { workspace })).status).toBe(200);
      expect((await day()).failures.latest).toEqual([]);
    });

    it('excludes other workspaces', async () => {
      const other = await dana.createWorkspace('Oak Street');
      await insertJob({ of: other, status: 'failed', at: inHours(-1) });
      await insertJob({ of: other, status: 'pending', at: inHours(1) });
      expect(await day()).toEqual({
        upcoming: { count: 0, is_complete: true, next: [] },
        failures: { count: 0, latest: [] },
        missed: { latest: [], has_more: false },
      });
    });
  });

  describe('of thirty', () => {
    const days = async (timezone: string) =>
      (await dana.call('GET', `/api/dashboard/deliveries?timezone=${timezone}`, { workspace })).json;

    async function deliver(at: string, statuses: [string, string][]) {
      const job = await insertJob({ status: 'completed', at });
      for (const [index, [channel, status]] of statuses.entries())
        await database.query(
          `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts)
           values ($1, $2, $3, $4, $5, $6, 1)`,
          [workspace, job, at, channel, `r${index}@example.com`, status],
        );
    }

    it('counts what was sent and what failed, by channel and day', async () => {
      const today = Temporal.Now.plainDateISO('UTC');
      const at = (back: number) => `${today.subtract({ days: back }).toString()}T00:30:00Z`;
      await deliver(at(0), [
        ['email', 'accepted'],
        ['email', 'delivered'],
        ['email', 'failed'],
        ['sms', 'unknown'],
        ['sms', 'skipped'],
      ]);
      await deliver(at(3), [['sms', 'accepted']]);
      await deliver(at(30), [['email', 'accepted']]);
      expect(await days('UTC')).toEqual({
        from: today.subtract({ days: 29 }).toString(),
        to: today.toString(),
        data: [
          { day: today.subtract({ days: 3 }).toString(), channel: 'sms', sent: 1, failed: 0 },
          { day: today.toString(), channel: 'email', sent: 2, failed: 1 },
          { day: today.toString(), channel: 'sms', sent: 0, failed: 1 },
        ],
      });
    });

    it('uses the days of the caller’s zone', async () => {
      const yesterday = Temporal.Now.plainDateISO('UTC').subtract({ days: 1 });
      await deliver(`${yesterday.toString()}T18:20:00Z`, [['email', 'accepted']]);
      // 00:05 of the next day in Kathmandu, 5 h 45 min ahead.
      expect((await days('Asia/Kathmandu')).data).toMatchObject([
        { day: yesterday.add({ days: 1 }).toString(), sent: 1 },
      ]);
      expect((await days('UTC')).data).toMatchObject([{ day: yesterday.toString(), sent: 1 }]);
    });

    it('refuses an unknown zone with the field’s name', async () => {
      const { status, json } = await dana.call('GET', '/api/dashboard/deliveries?timezone=Nowhere', { workspace });
      expect([status, json.error.fields[0].path]).toEqual([400, 'timezone']);
    });
  });
});
