import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  deleteWorkspace,
  restoreWorkspace,
  stopRunsOfDeleted,
} from '#features/workspaces/workspace-deletion.service.ts';
import { setReminderStatus } from '#features/reminders/reminders.service.ts';
import { startTimedResume } from '#features/reminders/timed-resume.service.ts';
import { sweepOnce } from '#engine/maintenance/archiver.ts';
import type { MemberContext } from '#platform/context.ts';
import { createLog } from '#platform/log.ts';
import {
  engineSleepers,
  type EngineFixture,
  openEngineFixture,
  type TestWorkspace,
  writeReminder,
} from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';
import { insertInvitation, insertThings } from '#testing/sample-rows.ts';

describe('a workspace that is deleted', () => {
  let fixture: EngineFixture;
  let owner: Client;
  let workspace: TestWorkspace;
  const open = async (at: string) => {
    fixture = await openEngineFixture(at);
    owner = await connectOwner(fixture.databaseUrl);
    workspace = await fixture.createWorkspace();
  };
  afterEach(async () => {
    await owner.end();
    await fixture.close();
  });

  const as = <T>(work: (ctx: MemberContext) => Promise<T>) =>
    fixture.inWorkspace(workspace, (ctx) => work({ ...ctx, actor: { kind: 'user', userId: workspace.userId } }));
  async function remove(): Promise<void> {
    await as((ctx) => deleteWorkspace(ctx, { name: 'Elm Street' }));
    await as((ctx) => stopRunsOfDeleted(ctx, ctx.db));
  }
  const restore = () => as(restoreWorkspace);
  const times = async () =>
    (await fixture.jobs(workspace)).map(({ scheduled_for: at, status }) => `${at.slice(8, 16)} ${status}`);

  describe('and may be restored', () => {
    beforeEach(() => open('2026-03-02T08:00:00Z'));

    it('is sent nothing of, while another one is, and lets the dispatcher sleep', async () => {
      await writeReminder(fixture, { workspace });
      const other = await fixture.createWorkspace('Oak Lane');
      await writeReminder(fixture, {
        workspace: other,
        content: { ...content, recipients: ['https://oak.example.com/'] },
      });
      await remove();
      await fixture.start();
      fixture.clock.advance({ hours: 26 });
      await fixture.jobsWhere(other, (jobs) => jobs.filter(({ status }) => status === 'completed').length > 0);
      await fixture.clock.untilAsleep(engineSleepers);
      expect(new Set(fixture.requests.map(({ url }) => String(url)))).toEqual(new Set(['https://oak.example.com/']));
      expect(await times()).toEqual(['02T09:00 pending']);
    });

    it('comes back as it was: what came due follows the rule of its reminder, and nobody is written to twice', async () => {
      await writeReminder(fixture, { workspace, name: 'Latest' });
      await writeReminder(fixture, { workspace, name: 'None', metadata: { channels: ['webhook'], misfire: 'skip' } });
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      await fixture.jobsWhere(workspace, (jobs) => jobs.filter(({ status }) => status === 'completed').length === 2);
      const before = await fixture.jobs(workspace);
      await remove();
      fixture.clock.advance({ hours: 24 * 3 + 1 });
      await fixture.clock.untilAsleep(engineSleepers);
      expect(await fixture.jobs(workspace)).toEqual(before);
      await restore();
      const jobs = await fixture.jobsWhere(
        workspace,
        (all) =>
          all.every(({ status }) => status !== 'running') &&
          all.filter(({ status, scheduled_for: at }) => status === 'pending' && at.startsWith('2026-03-06')).length ===
            2,
      );
      const of = (name: string) =>
        jobs.filter((job) => job.name === name).map(({ scheduled_for: at, status }) => `${at.slice(8, 10)} ${status}`);
      expect(of('Latest')).toEqual(['02 completed', '03 cancelled', '05 completed', '06 pending']);
      expect(of('None')).toEqual(['02 completed', '03 cancelled', '06 pending']);
      expect(fixture.requests).toHaveLength(3);
    });

    it('ends what is in flight truthfully, and begins nothing else of it', async () => {
      const delayed = delayAnswers();
      fixture.receiver = delayed;
      const recipients = Array.from({ length: 10 }, (_, n) => `https://hooks.example.com/${n}`);
      await writeReminder(fixture, { workspace, content: { ...content, recipients } });
      await fixture.start({ limits: { slots: 4, slotsPerWorkspace: 4 } });
      fixture.clock.advance({ hours: 1 });
      await delayed.arrived(4);
      await remove();
      delayed.release();
      const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
      expect(job?.error_message).toBe('6 of 10 skipped: The workspace was deleted');
      expect((await fixture.deliveries(workspace)).map(({ status }) => status).toSorted()).toEqual([
        ...Array.from({ length: 4 }, () => 'accepted'),
        ...Array.from({ length: 6 }, () => 'skipped'),
      ]);
      expect(fixture.requests).toHaveLength(4);
    });

    it('begins nothing else where the process ended between the deletion and the stop of its runs', async () => {
      const delayed = delayAnswers();
      fixture.receiver = delayed;
      const recipients = Array.from({ length: 10 }, (_, n) => `https://hooks.example.com/${n}`);
      await writeReminder(fixture, { workspace, content: { ...content, recipients } });
      await fixture.start({ limits: { slots: 4, slotsPerWorkspace: 4 } });
      fixture.clock.advance({ hours: 1 });
      await delayed.arrived(4);
      await as((ctx) => deleteWorkspace(ctx, { name: 'Elm Street' }));
      delayed.release();
      const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
      expect(job?.error_message).toBe('6 of 10 skipped: The workspace was deleted');
      expect(fixture.requests).toHaveLength(4);
    });

    it('keeps a retry that waits, and sends it once it is restored', async () => {
      fixture.receiver = () => answerOf(503);
      await writeReminder(fixture, { workspace });
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      await fixture.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 1);
      await remove();
      fixture.clock.advance({ hours: 2 });
      await fixture.clock.untilAsleep(engineSleepers);
      expect(fixture.requests).toHaveLength(1);
      fixture.receiver = () => answerOf(200);
      await restore();
      await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
      expect(fixture.requests).toHaveLength(2);
    });

    it('keeps the pauses of its reminders: one that ends meanwhile is resumed after it is restored', async () => {
      const { id } = await writeReminder(fixture, { workspace });
      await as((ctx) => setReminderStatus(ctx, { id, status: 'paused', until: '2026-03-03T00:00:00Z' }));
      await remove();
      const resuming = startTimedResume({
        app: fixture.database.app,
        pool: fixture.database.engine,
        clock: fixture.clock,
        log: createLog('silent'),
      });
      const statusNow = async () =>
        (await owner.query<{ status: string }>('select status from reminders where id = $1', [id])).rows[0]?.status;
      await fixture.clock.untilAsleep(1);
      fixture.clock.advance({ hours: 24 });
      await fixture.clock.untilAsleep(1);
      expect(await statusNow()).toBe('paused');
      await restore();
      fixture.clock.advance({ seconds: 20 });
      await fixture.until(statusNow, (status) => status === 'active');
      await resuming.stop();
    });

    it('is restored by an owner within the week only', async () => {
      await expect(restore()).rejects.toThrow('This workspace is not being deleted');
      await remove();
      await expect(remove()).rejects.toThrow('This workspace is being deleted already');
      fixture.clock.advance({ hours: 24 * 7 - 1 });
      expect((await restore()).delete_after).toBeNull();
      await remove();
      fixture.clock.advance({ hours: 24 * 7 });
      await expect(restore()).rejects.toThrow('it can no longer be restored');
    });
  });

  describe('and whose week has passed', () => {
    beforeEach(() => open(Temporal.Now.instant().toString()));

    const sweep = (log = createLog('silent')) =>
      sweepOnce(
        { pool: fixture.database.engine, clock: fixture.clock, log, isPaused: async () => false },
        new AbortController().signal,
      );
    const expire = (ago: string) =>
      owner.query('update workspaces set delete_after = now() - $2::interval where id = $1', [
        workspace.workspaceId,
        ago,
      ]);

    /** The tables with rows of the workspace. The audit log outlives it. */
    async function filled(of: TestWorkspace): Promise<string[]> {
      const { rows: tables } = await owner.query<{ name: string }>(
        `select c.relname as name
           from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attname = 'workspace_id' and not a.attisdropped
          where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'audit_log'
          order by c.relname`,
      );
      const found = [];
      for (const { name } of tables) {
        const { rowCount } = await owner.query(`select from ${name} where workspace_id = $1 limit 1`, [of.workspaceId]);
        if (rowCount !== 0) found.push(name);
      }
      return found;
    }

    async function fill(of: TestWorkspace): Promise<void> {
      const things = await insertThings(owner, { workspace: of.workspaceId, userId: of.userId });
      await insertInvitation(owner, things, { email: `${of.workspaceId}@example.com` });
      await owner.query(
        `insert into jobs (workspace_id, name, type, scheduled_for, run_at)
         select $1, 'Rent', 'api_notification', now() + interval '1 day', now() + interval '1 day' from generate_series(1, 250)`,
        [of.workspaceId],
      );
      await owner.query(
        `insert into monthly_usage (workspace_id, month, occurrences) values ($1, date_trunc('month', now()), 3)`,
        [of.workspaceId],
      );
    }

    it('is deleted by the archiver with everything in it, and nothing of another one', async () => {
      const other = await fixture.createWorkspace('Oak Lane');
      await fill(workspace);
      await fill(other);
      await expire('59 minutes');
      expect(await sweep()).toMatchObject({ workspaces: 0 });
      const all = await filled(other);
      expect(all.length).toBeGreaterThan(20);
      expect(await filled(workspace)).toEqual(all);
      await expire('61 minutes');
      expect(await sweep()).toMatchObject({ workspaces: 1 });
      expect(await filled(workspace)).toEqual([]);
      expect((await owner.query('select name from workspaces')).rows).toEqual([{ name: 'Oak Lane' }]);
      expect(await filled(other)).toEqual(all);
      const { rows: acts } = await owner.query(
        "select action, actor_kind, details from audit_log where workspace_id = $1 and action = 'workspace.deleted'",
        [workspace.workspaceId],
      );
      expect(acts).toEqual([{ action: 'workspace.deleted', actor_kind: 'system', details: { name: 'Elm Street' } }]);
      expect((await owner.query('select from jobs')).rowCount).toBe(254);
    });

    it('is deleted in steps, and to the end after the process was lost in between', async () => {
      await fill(workspace);
      await expire('2 hours');
      const step = async () =>
        (
          await fixture.database.engine.query<{ more: boolean }>('select delete_workspace($1, 100) as more', [
            workspace.workspaceId,
          ])
        ).rows[0]?.more;
      expect(await step()).toBe(true);
      const { rowCount } = await owner.query('select from jobs where workspace_id = $1', [workspace.workspaceId]);
      expect(rowCount).toBe(154);
      await Promise.all([sweep(), sweep()]);
      expect(await filled(workspace)).toEqual([]);
      expect((await owner.query('select from workspaces')).rowCount).toBe(0);
    });

    it('is deleted with the hours that its recipients chose in steps, too', async () => {
      await owner.query(
        `insert into preferences (workspace_id, address, hours)
         select $1, n || '@example.com', '{"days":[1],"from":"08:00","to":"20:00","timezone":"UTC"}' from generate_series(1, 250) n`,
        [workspace.workspaceId],
      );
      await expire('2 hours');
      const left = [];
      for (const _ of [1, 2]) {
        await fixture.database.engine.query('select delete_workspace($1, 100)', [workspace.workspaceId]);
        left.push((await owner.query('select from preferences')).rowCount);
      }
      expect(left).toEqual([150, 50]);
      await sweep();
      expect((await owner.query('select from workspaces')).rowCount).toBe(0);
    });

    it('that cannot be deleted is named in the log, and does not hold up those behind it', async () => {
      const other = await fixture.createWorkspace('Oak Lane');
      await expire('2 hours');
      await owner.query("update workspaces set delete_after = now() - interval '2 hours' where id = $1", [
        other.workspaceId,
      ]);
      await owner.query(
        `create function refuse() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$;
         create trigger refuse before delete on workspaces for each row when (old.name = 'Elm Street') execute function refuse()`,
      );
      const log = createLog('silent');
      const warn = vi.spyOn(log, 'warn');
      expect(await sweep(log)).toMatchObject({ workspaces: 1 });
      expect((await owner.query('select name from workspaces')).rows).toEqual([{ name: 'Elm Street' }]);
      expect(warn.mock.calls).toEqual([
        [
          { workspaceId: workspace.workspaceId, error: 'error: the disk is full' },
          'a workspace was not deleted; the next sweep tries again',
        ],
      ]);
      await owner.query('drop trigger refuse on workspaces; drop function refuse');
      expect(await sweep(log)).toMatchObject({ workspaces: 1 });
    });

    it('is never deleted where nobody asked for it, whoever calls', async () => {
      await fill(workspace);
      const all = await filled(workspace);
      await fixture.database.engine.query('select delete_workspace($1, 100)', [workspace.workspaceId]);
      expect(await filled(workspace)).toEqual(all);
      await expect(
        as(({ db, workspaceId }) => db.deleteFrom('workspaces').where('id', '=', workspaceId).execute()),
      ).rejects.toThrow('permission denied');
    });
  });
});

const content = { subject: 'Rent', message: 'Hello', recipients: ['https://hooks.example.com/a'] };
