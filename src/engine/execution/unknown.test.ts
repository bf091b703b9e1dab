import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { ChannelType } from '#contract/channel-types.ts';
import type { DefaultRoute } from '#delivery/adapter.ts';
import { setReminderStatus } from '#features/reminders/reminders.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { suppress } from '#testing/engine-rows.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

describe('an attempt that may have arrived', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  const recipient = 'https://hooks.example.com/a';
  const lost = () => ({ kind: 'lost' as const, reason: 'the connection was reset' });
  const reason = 'Sent, but not answered: the connection was reset';
  const firstJobIs = (status: string) => fixture.jobsWhere(workspace, ([job]) => job?.status === status);
  const everyMinute = {
    type: 'scheduled',
    scheduleType: 'custom',
    customCron: '* * * * *',
    startDate: '2026-03-02T09:00:00',
    timezone: 'UTC',
  };

  /** Sends once. The answer is lost, and a retry waits. */
  async function loseAnswer(more: object = {}): Promise<string> {
    fixture.receiver = lost;
    const { id } = await writeReminder(fixture, { workspace, ...more });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, ([job]) => job?.status === 'pending' && job.attempts === 1);
    return id;
  }

  it('stays unknown when its reminder is paused before it is sent again', async () => {
    const id = await loseAnswer();
    await fixture.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id, status: 'paused' }));
    await firstJobIs('cancelled');
    expect(await fixture.deliveries(workspace)).toMatchObject([{ status: 'unknown', reason, attempts: 1 }]);
  });

  it('stays unknown when its recipient is suppressed before it is sent again', async () => {
    await loseAnswer();
    await suppress(fixture, { workspace, channel: 'webhook', recipient });
    fixture.clock.advance({ seconds: 5 });
    expect((await firstJobIs('failed'))[0]?.error_message).toBe(`1 of 1 failed: ${reason}`);
    expect(await fixture.deliveries(workspace)).toMatchObject([{ status: 'unknown', reason, attempts: 1 }]);
  });

  it('stays unknown when its time is over before it is sent again', async () => {
    await loseAnswer({ schedule_config: everyMinute });
    fixture.clock.advance({ seconds: 60 });
    expect((await firstJobIs('failed'))[0]?.error_message).toBe(`1 of 1 failed: ${reason}`);
    expect((await fixture.deliveries(workspace))[0]).toMatchObject({ status: 'unknown', reason, attempts: 1 });
  });

  it('stays unknown when the reminder is paused while others of its run are still under way', async () => {
    const delayed = delayAnswers();
    const late = 'https://hooks.example.com/late';
    fixture.receiver = (request) => (request.url === late ? delayed(request) : lost());
    const { id } = await writeReminder(fixture, {
      workspace,
      content: { subject: 'Rent', message: 'Hi', recipients: [recipient, late] },
    });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await delayed.arrived(1);
    await fixture.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id, status: 'paused' }));
    delayed.release();
    await firstJobIs('failed');
    expect(await fixture.deliveries(workspace)).toMatchObject([
      { recipient, status: 'unknown', reason, attempts: 1 },
      { recipient: late, status: 'accepted' },
    ]);
  });

  describe('by SMS, WhatsApp or Slack', () => {
    /** Providers that send over HTTP, as all of these do. */
    const defaults: DefaultRoute = (type) => ({
      adapter: {
        type,
        provider: `test ${type}`,
        title: 'Test',
        fields: [],
        shape: z.unknown(),
        secretFields: [],
        destinationFields: [],
        destinationOf: () => 'provider',
        send: async (envelope, { network }) => {
          const { kind } = await network.http.request({
            url: `https://${type}.example.com`,
            method: 'POST',
            headers: [],
            body: JSON.stringify({ data: envelope }),
            timeoutMs: 1_000,
          });
          return kind === 'answer'
            ? { outcome: 'accepted', receipt: envelope.delivery_id, answer: kind }
            : { outcome: 'unknown', reason };
        },
      },
      config: {},
      channelId: null,
    });

    const prefer = (unknownOutcomes: string) =>
      fixture.inWorkspace(workspace, ({ db, workspaceId }) =>
        db
          .updateTable('workspaces')
          .set({ settings: JSON.stringify({ unknownOutcomes }) })
          .where('id', '=', workspaceId)
          .execute(),
      );
    const write = (channel: ChannelType) =>
      writeReminder(fixture, {
        workspace,
        content: { subject: 'Rent', message: 'Hi', recipients: channel === 'slack' ? [] : ['+49 30 1234567'] },
        metadata: { channels: [channel] },
      });

    it.each(['sms', 'whatsapp', 'slack'] as const)('is sent once more by default (%s)', async (channel) => {
      fixture.receiver = () => (fixture.requests.length === 1 ? lost() : answerOf(200));
      await write(channel);
      await fixture.start({ defaults });
      fixture.clock.advance({ hours: 1 });
      await fixture.jobsWhere(workspace, ([job]) => job?.status === 'pending' && job.attempts === 1);
      fixture.clock.advance({ seconds: 5 });
      await firstJobIs('completed');
      expect(fixture.requests).toHaveLength(2);
    });

    it.each(['sms', 'whatsapp', 'slack'] as const)(
      'is not sent again where a miss is preferred (%s)',
      async (channel) => {
        fixture.receiver = lost;
        await prefer('prefer_miss');
        await write(channel);
        await fixture.start({ defaults });
        fixture.clock.advance({ hours: 1 });
        const [job] = await firstJobIs('failed');
        expect(job?.error_message).toBe(`1 of 1 failed: ${reason}`);
        expect(await fixture.deliveries(workspace)).toMatchObject([
          { status: 'unknown', reason, next_attempt_at: null },
        ]);
        expect(fixture.requests).toHaveLength(1);
      },
    );

    it.each([
      ['prefer_miss', 'unknown'],
      ['prefer_duplicate', 'waiting'],
    ])('with a lost worker: %s leaves it %s', async (preference, status) => {
      const delayed = delayAnswers();
      fixture.receiver = delayed;
      await prefer(preference);
      await write('sms');
      const worker = await fixture.start({ defaults });
      fixture.clock.advance({ hours: 1 });
      await delayed.arrived(1);
      worker.kill();
      await fixture.start({ defaults, isAlone: true });
      expect(await fixture.deliveries(workspace)).toMatchObject([{ status, attempts: 1 }]);
    });

    it('is still sent again by webhook, because its receiver recognises it', async () => {
      await prefer('prefer_miss');
      await loseAnswer();
      fixture.receiver = () => answerOf(200);
      fixture.clock.advance({ seconds: 5 });
      await firstJobIs('completed');
      expect(fixture.requests).toHaveLength(2);
    });
  });
});
