import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { reminderChanges } from '#testing/engine-changes.ts';
import { addWebhookChannel, suppress, switchOff } from '#testing/engine-rows.ts';
import { connectOwner } from '#testing/owner.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

describe('what is checked again just before sending', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  const hook = (name: string | number) => `https://hooks.example.com/${name}`;
  const hooks = (count: number) => Array.from({ length: count }, (_, n) => hook(n));
  const write = (recipients: readonly string[], more: object = {}) =>
    writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients }, ...more });
  const recheck = () => fixture.requests.map((request) => request.url);
  const ended = () =>
    fixture.jobsWhere(workspace, ([job]) => !['pending', 'running'].includes(job?.status ?? 'pending'));
  const asOwner = async (statement: string, values: readonly string[] = []) => {
    const owner = await connectOwner(fixture.databaseUrl);
    await owner.query(statement, [...values]);
    await owner.end();
  };

  describe('while a retry waits', () => {
    it.each(['paused', 'edited', 'deleted'] as const)(
      'a reminder that is %s is not retried, and its row says so',
      async (change) => {
        fixture.receiver = () => answerOf(503);
        const reminder = await write([hook('a')]);
        await fixture.start();
        fixture.clock.advance({ hours: 1 });
        await fixture.jobsWhere(workspace, ([job]) => job?.attempts === 1 && job.status === 'pending');
        await fixture.inWorkspace(workspace, (ctx) => reminderChanges[change](ctx, reminder.id));
        fixture.clock.advance({ hours: 20 });
        const error_message = `The reminder was ${change}`;
        expect((await ended())[0]).toMatchObject({ status: 'cancelled', error_message });
        expect(await fixture.deliveries(workspace)).toMatchObject([
          { status: 'skipped', reason: error_message, attempts: 1, next_attempt_at: null },
        ]);
        expect(recheck()).toHaveLength(1);
      },
    );

    it('a job that is paused waits, and goes on where it stopped', async () => {
      fixture.receiver = () => answerOf(fixture.requests.length === 1 ? 503 : 200);
      await write([hook('a')]);
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.attempts === 1 && one.status === 'pending');
      await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'pause' }));
      fixture.clock.advance({ hours: 2 });
      await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'resume' }));
      const [done] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
      expect(done).toMatchObject({ attempts: 2, error_message: null });
      expect(await fixture.deliveries(workspace)).toMatchObject([{ status: 'accepted', attempts: 2 }]);
    });

    it('a job that is cancelled is not retried', async () => {
      fixture.receiver = () => answerOf(503);
      await write([hook('a')]);
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.attempts === 1 && one.status === 'pending');
      await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'cancel' }));
      expect(await fixture.deliveries(workspace)).toMatchObject([
        {
          status: 'skipped',
          reason: 'Cancelled by a member of the workspace',
          reason_code: 'cancelled',
          attempts: 1,
        },
      ]);
    });
  });

  describe('after a change that only the database knows of', () => {
    it('does not send a reminder that is not active', async () => {
      await write([hook('a')]);
      await asOwner("update reminders set status = 'paused'");
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      expect(await ended()).toMatchObject([{ status: 'cancelled', reason_code: 'reminder_paused' }]);
      expect(recheck()).toEqual([]);
    });

    it('does not send a reminder that was deleted', async () => {
      await write([hook('a')]);
      await asOwner('delete from reminders');
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      expect(await ended()).toMatchObject([{ status: 'cancelled', reason_code: 'reminder_deleted' }]);
      expect(recheck()).toEqual([]);
    });

    it('does not send for a workspace that was deleted', async () => {
      await write([hook('a')]);
      await asOwner('alter table workspaces disable trigger jobs_follow_workspaces');
      await asOwner('delete from workspaces');
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      expect(await ended()).toMatchObject([{ status: 'cancelled', reason_code: 'workspace_deleted' }]);
      expect(recheck()).toEqual([]);
    });
  });

  it('stops with the deletion of the workspace, and leaves nothing of it behind', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    await write(hooks(10));
    const other = await fixture.createWorkspace('Other');
    await writeReminder(fixture, { workspace: other });
    await fixture.start({ limits: { slots: 8, slotsPerWorkspace: 4 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(5);
    await asOwner('delete from workspaces where id = $1', [workspace.workspaceId]);
    delayed.release();
    await fixture.jobsWhere(other, ([job]) => job?.status === 'completed');
    expect(recheck().filter((url) => url !== hook('a'))).toHaveLength(4);
    const owner = await connectOwner(fixture.databaseUrl);
    const { rows } = await owner.query(
      `select (select count(*) from jobs where workspace_id = $1) + (select count(*) from deliveries where workspace_id = $1)
              + (select count(*) from queue where workspace_id = $1) as left`,
      [workspace.workspaceId],
    );
    await owner.end();
    expect(rows).toEqual([{ left: '0' }]);
  });

  describe('whether the recipient is suppressed', () => {
    const reason = 'The recipient is on the suppression list';

    it('before the claim, however the address is spelled', async () => {
      await suppress(fixture, { workspace, channel: 'email', recipient: 'dana@example.com' });
      await write(['Dana <Dana@Example.com>'], { metadata: { channels: ['email'] } });
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      expect((await ended())[0]).toMatchObject({ status: 'cancelled', error_message: reason });
      expect(await fixture.deliveries(workspace)).toMatchObject([
        { recipient: 'Dana@Example.com', status: 'skipped', reason, reason_code: 'suppressed', attempts: 0 },
      ]);
    });

    it('on the channel that is to be used, and in the workspace that sends', async () => {
      const other = await fixture.createWorkspace('Other');
      await suppress(fixture, { workspace: other, channel: 'webhook', recipient: hook('a') });
      await suppress(fixture, { workspace, channel: 'email', recipient: hook('a') });
      await suppress(fixture, { workspace, channel: 'webhook', recipient: hook('b') });
      await write([hook('a'), hook('b')]);
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      expect((await ended())[0]).toMatchObject({ status: 'completed', error_message: `1 of 2 skipped: ${reason}` });
      expect(recheck()).toEqual([hook('a')]);
    });

    it('while it waits for a slot', async () => {
      const delayed = delayAnswers();
      fixture.receiver = delayed;
      await write(hooks(10));
      await fixture.start({ limits: { slots: 4, slotsPerWorkspace: 4 } });
      fixture.clock.advance({ hours: 1 });
      await delayed.arrived(4);
      await suppress(fixture, { workspace, channel: 'webhook', recipient: hook(7) });
      delayed.release();
      expect((await ended())[0]).toMatchObject({ status: 'completed', error_message: `1 of 10 skipped: ${reason}` });
      expect(recheck().toSorted()).toEqual(hooks(10).filter((url) => url !== hook(7)));
    });

    it('while it waits for a full destination', async () => {
      const delayed = delayAnswers();
      fixture.receiver = delayed;
      await write(hooks(10));
      await fixture.start({ limits: { perDestination: 2 } });
      fixture.clock.advance({ hours: 1 });
      await delayed.arrived(2);
      await suppress(fixture, { workspace, channel: 'webhook', recipient: hook(7) });
      fixture.clock.advance({ seconds: 1 });
      delayed.release();
      expect((await ended())[0]).toMatchObject({ status: 'completed', error_message: `1 of 10 skipped: ${reason}` });
      expect(await fixture.deliveries(workspace)).toMatchObject(
        hooks(10).map((recipient) =>
          recipient === hook(7)
            ? { recipient, status: 'skipped', reason, attempts: 0 }
            : { recipient, status: 'accepted' },
        ),
      );
    });

    it('while its retry waits for a full destination', async () => {
      fixture.receiver = () => answerOf(503);
      await write(hooks(6));
      await fixture.start({ limits: { perDestination: 2 } });
      fixture.clock.advance({ hours: 1 });
      await fixture.jobsWhere(workspace, ([job]) => job?.attempts === 1 && job.status === 'pending');
      const delayed = delayAnswers();
      fixture.receiver = delayed;
      fixture.clock.advance({ seconds: 5 });
      await delayed.arrived(2);
      const begun = recheck().slice(6);
      const recipient = hooks(6).find((url) => !begun.includes(url)) ?? '';
      await suppress(fixture, { workspace, channel: 'webhook', recipient });
      fixture.clock.advance({ seconds: 1 });
      delayed.release();
      expect((await ended())[0]).toMatchObject({ status: 'completed', error_message: `1 of 6 skipped: ${reason}` });
      expect((await fixture.deliveries(workspace)).find((row) => row.recipient === recipient)).toMatchObject({
        status: 'skipped',
        attempts: 1,
      });
      expect(recheck()).toHaveLength(6 + 5);
    });

    it('while its retry waits', async () => {
      fixture.receiver = () => answerOf(503);
      await write([hook('a')]);
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      await fixture.jobsWhere(workspace, ([job]) => job?.attempts === 1 && job.status === 'pending');
      await suppress(fixture, { workspace, channel: 'webhook', recipient: hook('a') });
      fixture.clock.advance({ seconds: 5 });
      expect((await ended())[0]).toMatchObject({ status: 'cancelled', error_message: reason });
      expect(recheck()).toHaveLength(1);
    });
  });

  describe('whether the channel is switched on', () => {
    const reason = 'The webhook channel is disabled';

    it('before the claim', async () => {
      const id = await addWebhookChannel(fixture, workspace);
      await write([hook('a')]);
      await switchOff(fixture, { workspace, id });
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      expect((await ended())[0]).toMatchObject({ status: 'cancelled', error_message: reason });
      expect(await fixture.deliveries(workspace)).toMatchObject([
        { status: 'skipped', reason, reason_code: 'channel_disabled', attempts: 0 },
      ]);
      expect(recheck()).toEqual([]);
    });

    it('in the middle of a long recipient list', async () => {
      const delayed = delayAnswers();
      fixture.receiver = delayed;
      const id = await addWebhookChannel(fixture, workspace);
      await write(hooks(10));
      await fixture.start({ limits: { slots: 4, slotsPerWorkspace: 4 } });
      fixture.clock.advance({ hours: 1 });
      await delayed.arrived(4);
      await switchOff(fixture, { workspace, id });
      delayed.release();
      expect((await ended())[0]).toMatchObject({ status: 'completed', error_message: `6 of 10 skipped: ${reason}` });
      expect(recheck()).toHaveLength(4);
    });

    it('while recipients wait for a full destination', async () => {
      const delayed = delayAnswers();
      fixture.receiver = delayed;
      const id = await addWebhookChannel(fixture, workspace);
      await write(hooks(10));
      await fixture.start({ limits: { perDestination: 2 } });
      fixture.clock.advance({ hours: 1 });
      await delayed.arrived(2);
      await switchOff(fixture, { workspace, id });
      fixture.clock.advance({ seconds: 1 });
      delayed.release();
      expect((await ended())[0]).toMatchObject({ status: 'completed', error_message: `8 of 10 skipped: ${reason}` });
      expect(recheck()).toHaveLength(2);
    });

    it('and sends through another channel of the type that is', async () => {
      const id = await addWebhookChannel(fixture, workspace);
      const other = await addWebhookChannel(fixture, workspace);
      await switchOff(fixture, { workspace, id });
      await write([hook('a')]);
      await fixture.start();
      fixture.clock.advance({ hours: 1 });
      expect((await ended())[0]?.status).toBe('completed');
      const [row] = await fixture.inWorkspace(workspace, ({ db }) =>
        db.selectFrom('deliveries').select('channel_id').execute(),
      );
      expect(row?.channel_id).toBe(other);
    });
  });
});
