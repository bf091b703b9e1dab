import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { deleteReminder } from '#features/reminders/deletion.service.ts';
import { updateReminder } from '#features/reminders/reminders.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { reminderChanges } from '#testing/engine-changes.ts';
import { begunRecipients } from '#testing/engine-rows.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

const changes = ['cancelled', 'paused', 'edited', 'deleted'] as const;

describe('what may still be sent', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  it('starts no further attempt of a running job once its cancel is committed', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    const recipients = Array.from({ length: 10 }, (_, n) => `https://hooks.example.com/${n}`);
    await writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    await fixture.start({ limits: { slots: 4, slotsPerWorkspace: 4 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(4);
    const [job] = await fixture.jobs(workspace);
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'cancel' }));
    delayed.release();
    const rows = await fixture.until(
      () => fixture.deliveries(workspace),
      (all) => all.every((row) => row.status === 'accepted' || row.status === 'skipped'),
    );
    expect(rows.filter((row) => row.status === 'accepted')).toHaveLength(4);
    expect(rows.filter((row) => row.status === 'skipped')).toHaveLength(6);
    expect(fixture.requests).toHaveLength(4);
    expect((await fixture.jobs(workspace))[0]?.status).toBe('cancelled');
  });

  it('sends to nobody who waited in line when the clock was set back, and was cancelled since', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    const recipients = ['a', 'b'].map((name) => `https://hooks.example.com/${name}`);
    const { id } = await writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    await fixture.start({ limits: { perDestination: 1 } });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    fixture.clock.advance({ minutes: -30 });
    await fixture.inWorkspace(workspace, (ctx) => reminderChanges.paused(ctx, id));
    delayed.release();
    const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
    expect(job?.error_message).toBe('1 of 2 skipped: The reminder was paused');
    expect(fixture.requests).toHaveLength(1);
  });

  it('counts a recipient once who is cancelled while its attempt begins', async () => {
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    const recipients = ['a', 'b', 'c'].map((name) => `https://hooks.example.com/${name}`);
    const { id } = await writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    const { promise: skipped, resolve: skip } = Promise.withResolvers<void>();
    await fixture.start({
      limits: { slots: 2, slotsPerWorkspace: 2, perDestination: 1 },
      wrapStore: (store) => ({
        ...store,
        skipOpen: (...args) => store.skipOpen(...args).finally(skip),
        beginAttempts: (...args) => skipped.then(() => store.beginAttempts(...args)),
      }),
    });
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    await fixture.inWorkspace(workspace, (ctx) => reminderChanges.paused(ctx, id));
    // A delivery that has waited this long is checked again.
    fixture.clock.advance({ seconds: 1 });
    delayed.release();
    const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
    expect(job?.error_message).toBe('2 of 3 skipped: The reminder was paused');
  });

  describe.each(changes)('of a run that is %s in its middle', (change) => {
    const recipients = Array.from({ length: 60 }, (_, n) => `https://hooks.example.com/${n}`);
    const reason = change === 'cancelled' ? 'Cancelled by a member of the workspace' : `The reminder was ${change}`;
    let reminderId: string;
    beforeEach(async () => {
      const content = { subject: 'Rent', message: 'Hi', recipients };
      reminderId = (await writeReminder(fixture, { workspace, content })).id;
    });

    /** Acts when this request comes, goes on answering ten more, and lets the others wait until it has acted. */
    function receiveMeanwhile({ request, act }: { request: number; act: () => Promise<void> }): void {
      const { promise: done, resolve: finish } = Promise.withResolvers<void>();
      fixture.receiver = async () => {
        const count = fixture.requests.length;
        if (count === request) await act().then(finish);
        if (count > request + 10) await done;
        return answerOf(200);
      };
    }

    async function makeChange(ctx: TenantContext): Promise<void> {
      const job = await ctx.db.selectFrom('jobs').where('status', '=', 'running').select('id').executeTakeFirst();
      if (change === 'cancelled') await actOnJob(ctx, { id: job?.id ?? '', action: 'cancel' });
      else await reminderChanges[change](ctx, reminderId);
    }

    async function assertEnded(): Promise<void> {
      const rows = await fixture.until(
        () => fixture.deliveries(workspace),
        (all) => all.length === 60 && all.every((row) => ['accepted', 'skipped'].includes(row.status)),
      );
      const sent = rows.filter((row) => row.status === 'accepted').map((row) => row.recipient);
      const recheck = fixture.requests.map((request) => request.url);
      expect(sent.toSorted()).toEqual(recheck.toSorted());
      const skipped = rows.filter((row) => row.status === 'skipped');
      expect(skipped.length).toBeGreaterThan(0);
      expect(new Set(skipped.map((row) => `${row.attempts} ${row.reason}`))).toEqual(new Set([`0 ${reason}`]));
      const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status !== 'running');
      expect(job).toMatchObject(
        change === 'cancelled'
          ? { status: 'cancelled', error_message: reason }
          : { status: 'completed', error_message: `${skipped.length} of 60 skipped: ${reason}` },
      );
    }

    it('nothing that was not recorded as begun when the change was committed', async () => {
      let onRecord: string[] = [];
      receiveMeanwhile({
        request: 20,
        act: async () => {
          onRecord = await fixture.inWorkspace(workspace, async (ctx) => {
            await makeChange(ctx);
            return begunRecipients(ctx);
          });
        },
      });
      await fixture.start({ limits: { slots: 8, slotsPerWorkspace: 8 } });
      fixture.clock.advance({ hours: 1 });
      await assertEnded();
      expect(onRecord.length).toBeGreaterThan(19);
      expect(fixture.requests.filter((request) => !onRecord.includes(request.url))).toEqual([]);
    });

    it('nothing that waits for a full destination and was last checked too long ago', async () => {
      let requestedBefore = 0;
      receiveMeanwhile({
        request: 10,
        act: async () => {
          await fixture.inWorkspace(workspace, makeChange);
          requestedBefore = fixture.requests.length;
          fixture.clock.advance({ milliseconds: 101 });
        },
      });
      await fixture.start({ limits: { perDestination: 2 } });
      fixture.clock.advance({ hours: 1 });
      await assertEnded();
      expect(fixture.requests).toHaveLength(requestedBefore);
    });
  });

  it('does not send an occurrence twice when a reminder is edited after it was sent', async () => {
    const reminder = await writeReminder(fixture, { workspace });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    const { next_run_at: next } = await fixture.inWorkspace(workspace, (ctx) =>
      updateReminder(ctx, { id: reminder.id, input: reminder }),
    );
    expect(next).toBe('2026-03-03T09:00:00.000Z');
    expect(fixture.requests).toHaveLength(1);
  });

  it('keeps the record of a deleted reminder and sends nothing more of it', async () => {
    const reminder = await writeReminder(fixture, { workspace });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    await fixture.inWorkspace(workspace, (ctx) => deleteReminder(ctx, reminder.id));
    expect((await fixture.jobs(workspace)).map((job) => job.status)).toEqual(['completed']);
    expect(await fixture.deliveries(workspace)).toHaveLength(1);
  });
});
