import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { listPausedJobs } from '#engine/pause/paused-jobs.ts';
import { type DeliveryPause, openDeliveryPause, writeNotice } from '#engine/pause/delivery-pause.ts';
import { resumeDeliveries } from '#engine/pause/resume.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { openDatabase } from '#platform/database.ts';
import { createLog } from '#platform/log.ts';
import { createTestDatabase, TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import {
  engineSleepers,
  type EngineFixture,
  openEngineFixture,
  type TestWorkspace,
  writeReminder,
} from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';

let fixture: EngineFixture;
let owner: Client;
let workspace: TestWorkspace;
beforeEach(async () => {
  fixture = await openEngineFixture('2026-03-02T08:00:00Z');
  owner = await connectOwner(fixture.databaseUrl);
  workspace = await fixture.createWorkspace();
});
afterEach(async () => {
  await owner.end();
  await fixture.close();
});

const deps = () => ({ pool: fixture.database.engine, clock: fixture.clock, log: createLog('silent') });
const deliveryPause = () => openDeliveryPause({ ...deps(), database: fixture.database });

/** Leaves the database as a restore does. */
const restored = () =>
  writeNotice(fixture.database.engine, {
    since: fixture.clock.now().toString(),
    reason: 'restored',
    backup_of: '2026-03-01T03:00:00Z',
  });

const startPaused = (opened: DeliveryPause) =>
  fixture.start({ isPaused: async () => (await opened.notice()) !== null });
const statuses = async (of = workspace) =>
  (await fixture.jobs(of)).map((job) => `${job.scheduled_for.slice(0, 16)} ${job.status}`);

async function pausedNow() {
  const notice = await (await deliveryPause()).notice();
  if (notice === null) throw new Error('nothing is held');
  return listPausedJobs(deps(), notice);
}

describe('deliveries', () => {
  it('are not paused on a new database, at no start', async () => {
    expect(await (await deliveryPause()).notice()).toBeNull();
    expect(await (await deliveryPause()).notice()).toBeNull();
  });

  it.each([
    ['in another cluster', { cluster: '1', database: null }],
    ['in a copy beside the original', { cluster: null, database: '1' }],
  ])('are paused at every start %s, until somebody resumes them', async (_, elsewhere) => {
    await deliveryPause();
    await owner.query("update app_settings set value = value || jsonb_strip_nulls($1) where key = 'engine.location'", [
      elsewhere,
    ]);
    for (let start = 0; start < 2; start += 1) {
      expect(await (await deliveryPause()).notice()).toEqual({
        since: '2026-03-02T08:00:00Z',
        reason: 'moved',
        backup_of: null,
      });
      fixture.clock.advance({ hours: 1 });
    }
    expect(await resumeDeliveries(deps(), { overdue: 'by_rule', actorId: null })).toBe(0);
    expect(await (await deliveryPause()).notice()).toBeNull();
  });

  describe('after the timeline has changed', () => {
    const standby = 'synchronous';
    const open = async () => {
      const opened = await openDeliveryPause({ ...deps(), database: fixture.database, standby });
      onTestFinished(() => opened.stop());
      return opened;
    };
    /** As if another server had delivered last. */
    const lastDelivered = (location: object) =>
      owner.query("update app_settings set value = value || $1 where key = 'engine.location'", [location]);

    it('go on where the standby had every commit, as operator and server have said', async () => {
      await open();
      await lastDelivered({ timeline: '0000000F', waitsForStandby: true });
      expect(await (await open()).notice()).toBeNull();
      expect(await (await deliveryPause()).notice()).toBeNull();
    });

    it.each([
      ['the server waited for no standby', { timeline: '0000000F', waitsForStandby: false }],
      ['the database is another one too', { timeline: '0000000F', waitsForStandby: true, cluster: '1' }],
    ])('are paused where %s', async (_, location) => {
      await open();
      await lastDelivered(location);
      expect(await (await open()).notice()).toMatchObject({ reason: 'cluster' in location ? 'moved' : 'promoted' });
    });

    it.each([
      ['go on where a process starts within five minutes of that', { minutes: 5 }, null],
      ['are paused where nobody has seen it wait for longer', { minutes: 5, seconds: 1 }, { reason: 'promoted' }],
    ])('%s', async (_, later, notice) => {
      await open();
      await lastDelivered({ timeline: '0000000F', waitsForStandby: true });
      fixture.clock.advance(later);
      expect(await (await open()).notice()).toEqual(notice === null ? null : expect.objectContaining(notice));
    });

    it('are paused where the operator has not said that the standby has every commit', async () => {
      await open();
      await lastDelivered({ timeline: '0000000F', waitsForStandby: true });
      expect(await (await deliveryPause()).notice()).toMatchObject({ reason: 'promoted' });
    });

    it('go on in a database from before timelines were stored', async () => {
      await deliveryPause();
      await owner.query(
        "update app_settings set value = value - 'timeline' - 'waitsForStandby' - 'seenAt' where key = 'engine.location'",
      );
      expect(await (await deliveryPause()).notice()).toBeNull();
      await lastDelivered({ timeline: '0000000F' });
      expect(await (await deliveryPause()).notice()).toMatchObject({ reason: 'promoted' });
    });
  });

  describe('where the login may not read the timeline', () => {
    beforeEach(async () => {
      await deliveryPause();
      await owner.query('revoke execute on function pg_walfile_name(pg_lsn) from public');
    });
    afterEach(() => owner.query('grant execute on function pg_walfile_name(pg_lsn) to public'));

    it('run, and the log says once that a promoted standby is not recognized', async () => {
      const lines: string[] = [];
      const database = openDatabase(fixture.databaseUrl, { encryptionKey: TEST_ENCRYPTION_KEY });
      const log = createLog('info', (line) => lines.push(line));
      const opened = await openDeliveryPause({ ...deps(), database, log });
      await Promise.all([database.engine.query('select'), database.engine.query('select')]);
      expect([await opened.notice(), opened.afterFailOver()]).toEqual([null, 'unrecognized']);
      expect(lines.map((line) => JSON.parse(line).msg)).toEqual([
        'a promoted standby cannot be recognized, because the login of the database may not call pg_walfile_name: what a fail-over loses may be sent twice',
      ]);
      await database.close();
    });

    it('are compared with the last known timeline once it may again', async () => {
      await deliveryPause();
      await owner.query('grant execute on function pg_walfile_name(pg_lsn) to public');
      await owner.query(
        `update app_settings set value = jsonb_set(value, '{timeline}', '"0000000F"') where key = 'engine.location' and value ->> 'timeline' = '00000001'`,
      );
      const opened = await deliveryPause();
      expect([await opened.notice(), opened.afterFailOver()]).toMatchObject([{ reason: 'promoted' }, 'pauses']);
    });
  });

  it('are paused in a real copy of a database, and go on in the original', async () => {
    const original = await createTestDatabase();
    const name = new URL(original.url).pathname.slice(1);
    const copyUrl = new URL(`/${name}_copy`, original.url).href;
    expect(await noticeAt(original.url)).toBeNull();
    const admin = await connectOwner(new URL('/postgres', original.url).href);
    await admin.query(`create database ${name}_copy template ${name}`);
    expect(await noticeAt(copyUrl)).toMatchObject({ reason: 'moved' });
    expect(await noticeAt(original.url)).toBeNull();
    await admin.query(`drop database ${name}_copy with (force)`);
    await admin.end();
    await original.drop();
  });

  async function noticeAt(url: string) {
    const database = openDatabase(url, { encryptionKey: TEST_ENCRYPTION_KEY });
    const opened = await openDeliveryPause({ database, clock: fixture.clock, log: createLog('silent') });
    const notice = await opened.notice();
    await database.close();
    return notice;
  }

  it('are sent as soon as they are resumed, and not before, whatever is due', async () => {
    await writeReminder(fixture, { workspace });
    await restored();
    const opened = await deliveryPause();
    await startPaused(opened);
    fixture.clock.advance({ hours: 2 });
    await fixture.clock.untilAsleep(engineSleepers);
    expect(await statuses()).toEqual(['2026-03-02T09:00 pending']);
    expect(fixture.requests).toEqual([]);

    await resumeDeliveries(deps(), { overdue: 'by_rule', actorId: null });
    await fixture.jobsWhere(workspace, (jobs) => jobs[0]?.status === 'completed');
    expect(await opened.notice()).toBeNull();
    expect(fixture.messages()).toHaveLength(1);
  });

  it('that were due can be recorded as missed instead, and the reminders go on', async () => {
    const other = await fixture.createWorkspace('Oak Street');
    await writeReminder(fixture, { workspace });
    await writeReminder(fixture, { workspace: other, name: 'Water' });
    const [paused] = await fixture.jobs(other);
    await fixture.inWorkspace(other, (ctx) => actOnJob(ctx, { id: paused?.id ?? '', action: 'pause' }));
    await restored();
    fixture.clock.advance({ hours: 50 });
    expect(await resumeDeliveries(deps(), { overdue: 'missed', actorId: null })).toBe(1);
    expect(await statuses()).toEqual(['2026-03-02T09:00 cancelled', '2026-03-05T09:00 pending']);
    expect((await fixture.jobs(workspace))[0]?.error_message).toBe(
      'Missed: it was due at 2026-03-02T09:00:00.000Z, while deliveries were paused',
    );
    expect(await statuses(other)).toEqual(['2026-03-02T09:00 paused', '2026-03-05T09:00 pending']);

    await startPaused(await deliveryPause());
    expect(fixture.requests).toEqual([]);
    fixture.clock.advance({ hours: 23 });
    await fixture.jobsWhere(workspace, (jobs) => jobs[1]?.status === 'completed');
    expect(fixture.messages().map(({ scheduled_for: at }) => at.slice(0, 16))).toContain('2026-03-05T09:00');
  });

  it('that had begun when the backup was made are missed for recipients they had not reached', async () => {
    await writeReminder(fixture, {
      workspace,
      content: {
        subject: 'Rent',
        message: 'Hi',
        recipients: ['https://hooks.example.com/a', 'https://hooks.example.com/b'],
      },
    });
    const claim = 'uuidv7()';
    await owner.query(
      `with taken as (update jobs set status = 'running', attempts = 1, started_at = run_at, claim_id = ${claim} returning *)
       , claimed as (insert into claims (id, worker, lease_until, job_ids, begun) select claim_id, 'w', run_at + interval '90 s', array[id], '[]' from taken)
       insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts)
       select workspace_id, id, scheduled_for, 'webhook', 'https://hooks.example.com/' || u.name, u.status, 1
         from taken cross join (values ('a', 'accepted'), ('b', 'waiting')) as u (name, status)`,
    );
    await restored();
    fixture.clock.advance({ hours: 3 });
    expect(await resumeDeliveries(deps(), { overdue: 'missed', actorId: null })).toBe(1);
    expect(
      (await fixture.deliveries(workspace)).map((delivery) => [delivery.status, delivery.reason, delivery.reason_code]),
    ).toEqual([
      ['accepted', null, null],
      ['skipped', 'Missed: it was due at 2026-03-02T09:00:00.000Z, while deliveries were paused', 'missed'],
    ]);
    const { rows } = await owner.query(
      'select count(*)::int as claims, (select count(*)::int from queue) as queued from claims',
    );
    expect(rows).toEqual([{ claims: 0, queued: 1 }]);
  });

  it('are all recorded as missed in batches, and leave the queue', async () => {
    await owner.query(
      `insert into jobs (workspace_id, name, type, scheduled_for, run_at)
       select $1, 'Rent', 'api_notification', '2026-03-02T07:00:00Z', '2026-03-02T07:00:00Z' from generate_series(1, 1300)`,
      [workspace.workspaceId],
    );
    await restored();
    expect(await resumeDeliveries(deps(), { overdue: 'missed', actorId: null })).toBe(1300);
    const { rows } = await owner.query(
      "select count(*)::int as missed, (select count(*)::int from queue) as queued from jobs where status = 'cancelled'",
    );
    expect(rows).toEqual([{ missed: 1300, queued: 0 }]);
  });

  it('are resumed once: the second call changes nothing, and the audit log names the first', async () => {
    await restored();
    await writeReminder(fixture, { workspace });
    fixture.clock.advance({ hours: 2 });
    await resumeDeliveries(deps(), { overdue: 'by_rule', actorId: workspace.userId });
    expect(await resumeDeliveries(deps(), { overdue: 'missed', actorId: null })).toBe(0);
    expect(await statuses()).toEqual(['2026-03-02T09:00 pending']);
    const { rows } = await owner.query(
      "select actor_id, details from audit_log where action = 'engine.released' and workspace_id is null",
    );
    expect(rows).toEqual([{ actor_id: workspace.userId, details: { overdue: 'by_rule', missed: 0 } }]);
  });
});

describe('the list of paused deliveries', () => {
  it('shows what will be sent', async () => {
    const other = await fixture.createWorkspace('Oak Street');
    await writeReminder(fixture, { workspace, name: 'Daily' });
    await writeReminder(fixture, {
      workspace,
      name: 'Every one of them',
      metadata: { channels: ['webhook'], misfire: 'all' },
      content: {
        subject: 'S',
        message: 'M',
        recipients: ['https://hooks.example.com/a', 'https://hooks.example.com/b'],
      },
    });
    await writeReminder(fixture, {
      workspace: other,
      name: 'Punctual',
      metadata: { channels: ['webhook'], misfire: 'skip' },
    });
    await writeReminder(fixture, { workspace: other, name: 'Later', schedule_config: once('2026-06-01T09:00:00') });
    await restored();
    fixture.clock.advance({ hours: 26 });

    const paused = await pausedNow();
    expect(paused).toMatchObject({
      state: 'paused',
      reason: 'restored',
      due: 3,
      later: 1,
      backup_of: '2026-03-01T03:00:00Z',
    });
    expect(paused.workspaces).toEqual([
      { workspace_id: workspace.workspaceId, name: 'Elm Street', due: 2, later: 0 },
      { workspace_id: other.workspaceId, name: 'Oak Street', due: 1, later: 1 },
    ]);
    const seen = paused.first.map(
      (one) => `${one.name} ${one.scheduled_for.slice(0, 16)}: ${one.refusal === null ? one.recipients : 'missed'}`,
    );
    expect(seen.toSorted()).toEqual([
      'Daily 2026-03-02T09:00: missed',
      'Daily 2026-03-03T09:00: 1',
      'Every one of them 2026-03-02T09:00: 2',
      'Every one of them 2026-03-03T09:00: 2',
      'Punctual 2026-03-02T09:00: missed',
    ]);

    await resumeDeliveries(deps(), { overdue: 'by_rule', actorId: null });
    await fixture.start();
    const isAhead = (at: string) => Temporal.Instant.compare(Temporal.Instant.from(at), fixture.clock.now()) > 0;
    for (const of of [workspace, other])
      await fixture.jobsWhere(of, (jobs) =>
        jobs.every((job) => job.status !== 'running' && (job.status !== 'pending' || isAhead(job.run_at))),
      );
    const sent = paused.first.flatMap((one) =>
      Array.from({ length: one.refusal === null ? one.recipients : 0 }, () => one.scheduled_for),
    );
    expect(
      fixture
        .messages()
        .map((message) => message.scheduled_for)
        .toSorted(),
    ).toEqual(sent.toSorted());
  });

  it('changes nothing', async () => {
    await writeReminder(fixture, { workspace });
    await restored();
    fixture.clock.advance({ hours: 2 });
    const before = await fixture.jobs(workspace);
    await pausedNow();
    expect(await fixture.jobs(workspace)).toEqual(before);
    expect((await pausedNow()).due).toBe(1);
  });

  it('shows twenty jobs at most', async () => {
    await writeReminder(fixture, {
      workspace,
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'custom',
        customCron: '* * * * *',
        startDate: '2026-03-02T09:00:00',
        timezone: 'UTC',
      },
      metadata: { channels: ['webhook'], misfire: 'all' },
    });
    await owner.query(
      `insert into jobs (workspace_id, name, type, scheduled_for, run_at)
       select $1, 'Rent', 'api_notification', '2026-03-02T07:00:00Z', '2026-03-02T07:00:00Z' from generate_series(1, 40)`,
      [workspace.workspaceId],
    );
    await restored();
    fixture.clock.advance({ hours: 3 });
    const paused = await pausedNow();
    expect([paused.due, paused.first.length]).toEqual([41, 20]);
    expect(paused.first[0]).toMatchObject({
      workspace: 'Elm Street',
      refusal: 'The message of this job cannot be read',
    });
  });
});

const once = (startDate: string) => ({ type: 'scheduled', scheduleType: 'once', startDate, timezone: 'UTC' });
