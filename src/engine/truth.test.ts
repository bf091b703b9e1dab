import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { reminderChanges } from '#testing/engine-changes.ts';
import { addWebhookChannel, suppress, switchOff } from '#testing/engine-rows.ts';
import { connectOwner } from '#testing/owner.ts';
import { answerOf, holdAnswers } from '#testing/receiver.ts';

describe('what is asked again at the moment of sending', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
  });
  afterEach(() => house.close());

  const hook = (name: string | number) => `https://hooks.example.com/${name}`;
  const hooks = (count: number) => Array.from({ length: count }, (_, n) => hook(n));
  const write = (recipients: readonly string[], more: object = {}) =>
    writeReminder(house, { workspace, content: { subject: 'Rent', message: 'Hi', recipients }, ...more });
  const called = () => house.requests.map((request) => request.url);
  const ended = () => house.jobsWhere(workspace, ([job]) => !['pending', 'running'].includes(job?.status ?? 'pending'));
  const asOwner = async (statement: string) => {
    const owner = await connectOwner(house.databaseUrl);
    await owner.query(statement);
    await owner.end();
  };

  describe('while a retry waits', () => {
    it.each(['paused', 'edited', 'deleted'] as const)(
      'a reminder that is %s is tried no more, and its row says so',
      async (change) => {
        house.receiver = () => answerOf(503);
        const reminder = await write([hook('a')]);
        await house.start();
        house.clock.advance({ hours: 1 });
        await house.jobsWhere(workspace, ([job]) => job?.attempts === 1 && job.status === 'pending');
        await house.inWorkspace(workspace, (ctx) => reminderChanges[change](ctx, reminder.id));
        house.clock.advance({ hours: 20 });
        const error_message = `The reminder was ${change}`;
        expect((await ended())[0]).toMatchObject({ status: 'cancelled', error_message });
        expect(await house.deliveries(workspace)).toMatchObject([
          { status: 'skipped', reason: error_message, attempts: 1, next_attempt_at: null },
        ]);
        expect(called()).toHaveLength(1);
      },
    );

    it('a job that is paused waits, and goes on where it stood', async () => {
      house.receiver = () => answerOf(house.requests.length === 1 ? 503 : 200);
      await write([hook('a')]);
      await house.start();
      house.clock.advance({ hours: 1 });
      const [job] = await house.jobsWhere(workspace, ([one]) => one?.attempts === 1 && one.status === 'pending');
      await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'pause' }));
      house.clock.advance({ hours: 2 });
      await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'resume' }));
      const [done] = await house.jobsWhere(workspace, ([one]) => one?.status === 'completed');
      expect(done).toMatchObject({ attempts: 2, error_message: null });
      expect(await house.deliveries(workspace)).toMatchObject([{ status: 'accepted', attempts: 2 }]);
    });

    it('a job that is cancelled is tried no more', async () => {
      house.receiver = () => answerOf(503);
      await write([hook('a')]);
      await house.start();
      house.clock.advance({ hours: 1 });
      const [job] = await house.jobsWhere(workspace, ([one]) => one?.attempts === 1 && one.status === 'pending');
      await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'cancel' }));
      expect(await house.deliveries(workspace)).toMatchObject([
        { status: 'skipped', reason: 'Cancelled by a member of the workspace', attempts: 1 },
      ]);
    });
  });

  describe('where only the database knows of a change', () => {
    it('does not send a reminder that is not active', async () => {
      await write([hook('a')]);
      await asOwner("update reminders set status = 'paused'");
      await house.start();
      house.clock.advance({ hours: 1 });
      expect(await ended()).toMatchObject([{ status: 'cancelled', error_message: 'The reminder is paused' }]);
      expect(called()).toEqual([]);
    });

    it('does not send a reminder that is gone', async () => {
      await write([hook('a')]);
      await asOwner('delete from reminders');
      await house.start();
      house.clock.advance({ hours: 1 });
      expect(await ended()).toMatchObject([{ status: 'cancelled', error_message: 'The reminder was deleted' }]);
      expect(called()).toEqual([]);
    });

    it('does not send for a workspace that is gone', async () => {
      await write([hook('a')]);
      await asOwner('alter table workspaces disable trigger jobs_follow_workspaces');
      await asOwner('delete from workspaces');
      await house.start();
      house.clock.advance({ hours: 1 });
      expect(await ended()).toMatchObject([{ status: 'cancelled', error_message: 'The workspace was deleted' }]);
      expect(called()).toEqual([]);
    });
  });

  it('stops with the deletion of the workspace, and leaves nothing of it behind', async () => {
    const held = holdAnswers();
    house.receiver = held;
    await write(hooks(10));
    const other = await house.createWorkspace('Other');
    await writeReminder(house, { workspace: other });
    await house.start({ limits: { slots: 8, slotsPerWorkspace: 4 } });
    house.clock.advance({ hours: 1 });
    await held.arrived(5);
    await house.inWorkspace(workspace, ({ db, workspaceId }) =>
      db.deleteFrom('workspaces').where('id', '=', workspaceId).execute(),
    );
    held.release();
    await house.jobsWhere(other, ([job]) => job?.status === 'completed');
    expect(called().filter((url) => url !== hook('a'))).toHaveLength(4);
    const owner = await connectOwner(house.databaseUrl);
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

    it('before the claim, however the address is written', async () => {
      await suppress(house, { workspace, channel: 'email', recipient: 'dana@example.com' });
      await write(['Dana <Dana@Example.com>'], { metadata: { channels: ['email'] } });
      await house.start();
      house.clock.advance({ hours: 1 });
      expect((await ended())[0]).toMatchObject({ status: 'cancelled', error_message: reason });
      expect(await house.deliveries(workspace)).toMatchObject([
        { recipient: 'Dana@Example.com', status: 'skipped', reason, attempts: 0 },
      ]);
    });

    it('on the channel that is to be used, and in the workspace that sends', async () => {
      const other = await house.createWorkspace('Other');
      await suppress(house, { workspace: other, channel: 'webhook', recipient: hook('a') });
      await suppress(house, { workspace, channel: 'email', recipient: hook('a') });
      await suppress(house, { workspace, channel: 'webhook', recipient: hook('b') });
      await write([hook('a'), hook('b')]);
      await house.start();
      house.clock.advance({ hours: 1 });
      expect((await ended())[0]).toMatchObject({ status: 'completed', error_message: `1 of 2 skipped: ${reason}` });
      expect(called()).toEqual([hook('a')]);
    });

    it('while it waits for a place', async () => {
      const held = holdAnswers();
      house.receiver = held;
      await write(hooks(10));
      await house.start({ limits: { slots: 4, slotsPerWorkspace: 4 } });
      house.clock.advance({ hours: 1 });
      await held.arrived(4);
      await suppress(house, { workspace, channel: 'webhook', recipient: hook(7) });
      held.release();
      expect((await ended())[0]).toMatchObject({ status: 'completed', error_message: `1 of 10 skipped: ${reason}` });
      expect(called().toSorted()).toEqual(hooks(10).filter((url) => url !== hook(7)));
    });

    it('while it stands in line before a full destination', async () => {
      const held = holdAnswers();
      house.receiver = held;
      await write(hooks(10));
      await house.start({ limits: { perDestination: 2 } });
      house.clock.advance({ hours: 1 });
      await held.arrived(2);
      await suppress(house, { workspace, channel: 'webhook', recipient: hook(7) });
      house.clock.advance({ seconds: 1 });
      held.release();
      expect((await ended())[0]).toMatchObject({ status: 'completed', error_message: `1 of 10 skipped: ${reason}` });
      expect(await house.deliveries(workspace)).toMatchObject(
        hooks(10).map((recipient) =>
          recipient === hook(7)
            ? { recipient, status: 'skipped', reason, attempts: 0 }
            : { recipient, status: 'accepted' },
        ),
      );
    });

    it('while its retry waits', async () => {
      house.receiver = () => answerOf(503);
      await write([hook('a')]);
      await house.start();
      house.clock.advance({ hours: 1 });
      await house.jobsWhere(workspace, ([job]) => job?.attempts === 1 && job.status === 'pending');
      await suppress(house, { workspace, channel: 'webhook', recipient: hook('a') });
      house.clock.advance({ seconds: 5 });
      expect((await ended())[0]).toMatchObject({ status: 'cancelled', error_message: reason });
      expect(called()).toHaveLength(1);
    });
  });

  describe('whether the channel is switched on', () => {
    const reason = 'The webhook channel is switched off';

    it('before the claim', async () => {
      const id = await addWebhookChannel(house, workspace);
      await write([hook('a')]);
      await switchOff(house, { workspace, id });
      await house.start();
      house.clock.advance({ hours: 1 });
      expect((await ended())[0]).toMatchObject({ status: 'cancelled', error_message: reason });
      expect(await house.deliveries(workspace)).toMatchObject([{ status: 'skipped', reason, attempts: 0 }]);
      expect(called()).toEqual([]);
    });

    it('in the middle of a long recipient list', async () => {
      const held = holdAnswers();
      house.receiver = held;
      const id = await addWebhookChannel(house, workspace);
      await write(hooks(10));
      await house.start({ limits: { slots: 4, slotsPerWorkspace: 4 } });
      house.clock.advance({ hours: 1 });
      await held.arrived(4);
      await switchOff(house, { workspace, id });
      held.release();
      expect((await ended())[0]).toMatchObject({ status: 'completed', error_message: `6 of 10 skipped: ${reason}` });
      expect(called()).toHaveLength(4);
    });

    it('while recipients stand in line before a full destination', async () => {
      const held = holdAnswers();
      house.receiver = held;
      const id = await addWebhookChannel(house, workspace);
      await write(hooks(10));
      await house.start({ limits: { perDestination: 2 } });
      house.clock.advance({ hours: 1 });
      await held.arrived(2);
      await switchOff(house, { workspace, id });
      house.clock.advance({ seconds: 1 });
      held.release();
      expect((await ended())[0]).toMatchObject({ status: 'completed', error_message: `8 of 10 skipped: ${reason}` });
      expect(called()).toHaveLength(2);
    });

    it('and sends through another channel of the type that is', async () => {
      const id = await addWebhookChannel(house, workspace);
      const other = await addWebhookChannel(house, workspace);
      await switchOff(house, { workspace, id });
      await write([hook('a')]);
      await house.start();
      house.clock.advance({ hours: 1 });
      expect((await ended())[0]?.status).toBe('completed');
      const [row] = await house.inWorkspace(workspace, ({ db }) =>
        db.selectFrom('deliveries').select('channel_id').execute(),
      );
      expect(row?.channel_id).toBe(other);
    });
  });
});
