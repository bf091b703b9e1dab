import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { twilioSignature } from '#delivery/twilio/twilio.callback.ts';
import { gatherFailuresMs } from '#domain/lifetime.ts';
import { callbackToken } from '#features/channels/callback-token.ts';
import { receiveCallback } from '#features/channels/callbacks.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { setReminderStatus } from '#features/reminders/reminders.service.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addChannel, addContact, changeContact, setSendingHours, suppress } from '#testing/engine-rows.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

const secrets = createSecretBox(TEST_ENCRYPTION_KEY);

describe('a message that a provider accepts and then reports as undelivered', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let smsChannel: string;
  /** Of the messages by SMS, in order. */
  let sent: string[];
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
    smsChannel = await addChannel(fixture, {
      workspace,
      type: 'sms',
      configuration: { provider: 'twilio', api_key: 'AC0123', api_secret: 'a-token', from_number: '+493012345678' },
    });
    await addChannel(fixture, { workspace, type: 'webhook', configuration: { url: 'https://hooks.example.com/' } });
    sent = [];
    answer(200);
  });
  afterEach(() => fixture.close());

  const dana = '+4915112345678';
  const max = '+4915112345679';
  const inOrder = { channels: ['sms', 'webhook'], channel_mode: 'in_order' };
  const once = { type: 'scheduled', scheduleType: 'once', startDate: '2026-03-02T09:00:00', timezone: 'UTC' };
  const write = (recipients: string[], more: object = {}) =>
    writeReminder(fixture, {
      workspace,
      schedule_config: once,
      content: { subject: 'Rent', message: 'Hi', recipients },
      metadata: inOrder,
      ...more,
    });
  const due = () => fixture.clock.advance({ hours: 1 });

  /** SMS are accepted, and a webhook answers with this status. */
  function answer(webhook: number): void {
    fixture.receiver = ({ url, body }) => {
      if (!url.includes('twilio')) return answerOf(webhook, 'thanks');
      sent.push(`${new URLSearchParams(String(body)).get('To')}`);
      return answerOf(201, JSON.stringify({ sid: `SM${sent.length}`, status: 'queued' }));
    };
  }

  /** What the provider reports about the message with this number. */
  async function reportAlone(status: 'undelivered' | 'delivered', number = 1) {
    const token = callbackToken({ workspaceId: workspace.workspaceId, channelId: smsChannel, generation: 0 }, secrets);
    const url = `https://cuebird.example.com/api/callbacks/twilio/${token}`;
    const body = new URLSearchParams({
      MessageSid: `SM${number}`,
      MessageStatus: status,
      ...(status === 'undelivered' && { ErrorCode: '30003' }),
    });
    const signature = twilioSignature('a-token', { url, parameters: body });
    const request = new Request(url, { method: 'POST', body, headers: { 'x-twilio-signature': signature } });
    const answered = await receiveCallback(
      {
        db: fixture.database.app,
        secrets,
        clock: fixture.clock,
        url: () => 'https://cuebird.example.com',
        defaults: () => null,
      },
      { provider: 'twilio', token, request, readBody: async () => Buffer.from(await request.arrayBuffer()) },
    );
    expect(answered.status).toBe(200);
  }
  /** The same, and the time for which reports are gathered. */
  async function report(...reported: Parameters<typeof reportAlone>) {
    await reportAlone(...reported);
    fixture.clock.advance({ milliseconds: gatherFailuresMs });
  }

  const over = () => fixture.requests.map(({ url }) => (url.includes('twilio') ? 'sms' : 'webhook'));
  /** The first job once it rests after this many claims. */
  const ended = async (claims = 1) => {
    const [job] = await fixture.jobsWhere(
      workspace,
      ([one]) => one !== undefined && one.attempts >= claims && !['pending', 'running'].includes(one.status),
    );
    return job!;
  };
  const ledger = async () =>
    (await fixture.deliveries(workspace))
      .map((row) => `${row.channel} ${row.recipient} ${row.status}${row.reason === null ? '' : `: ${row.reason}`}`)
      .sort();
  const undelivered = 'Twilio 30003: the handset is unreachable';

  describe('where channels are tried in order', () => {
    it('goes on over the next one, once, and the job completes', async () => {
      await write([dana, max]);
      await fixture.start();
      due();
      expect(await ended()).toMatchObject({ status: 'completed' });
      await report('undelivered');
      expect(await ended(2)).toMatchObject({ status: 'completed', error_message: null, reason_code: null });
      const [first, second] = sent;
      expect(await ledger()).toEqual(
        [
          `sms ${first} failed: ${undelivered}; continues over webhook`,
          `sms ${second} accepted`,
          `webhook ${first} accepted`,
        ].sort(),
      );
      const params = (await fixture.deliveries(workspace)).map((row) => row.reason_params);
      expect(params.filter((one) => one !== null)).toEqual([{ next: 'webhook' }]);
      await report('undelivered');
      expect(over()).toEqual(['sms', 'sms', 'webhook']);
      expect((await ended()).attempts).toBe(2);
    });

    it('keeps the run before the report as it was, and has one more', async () => {
      await write([dana]);
      await fixture.start();
      due();
      await ended();
      await report('undelivered');
      await ended(2);
      expect(await fixture.executions(workspace)).toMatchObject([
        { status: 'completed', logs: { attempted: 1, accepted: 1 } },
        { status: 'completed', logs: { attempted: 1, accepted: 1 } },
      ]);
    });

    it('goes on for each of two who are reported at once', async () => {
      await write([dana, max]);
      await fixture.start();
      due();
      await ended();
      await Promise.all([report('undelivered', 1), report('undelivered', 2)]);
      await fixture.until(
        () => fixture.deliveries(workspace),
        (rows) => rows.filter((row) => row.channel === 'webhook' && row.status === 'accepted').length === 2,
      );
      expect(await ended()).toMatchObject({ status: 'completed' });
      expect(over()).toEqual(['sms', 'sms', 'webhook', 'webhook']);
    });

    it('goes on although it is reported while the run still sends to others', async () => {
      const delayed = delayAnswers(() => answerOf(201, '{"sid": "SM9", "status": "queued"}'));
      const quick = fixture.receiver;
      fixture.receiver = (request) => (String(request.body).includes(max.slice(1)) ? delayed(request) : quick(request));
      await write([dana, max]);
      await fixture.start();
      due();
      await delayed.arrived(1);
      await fixture.until(
        () => fixture.deliveries(workspace),
        (rows) => rows.some((row) => row.status === 'accepted'),
      );
      await report('undelivered');
      expect(await fixture.jobs(workspace)).toMatchObject([{ status: 'running' }]);
      delayed.release();
      expect(await ended(2)).toMatchObject({ status: 'completed', error_message: null });
      expect(await ledger()).toEqual([
        `sms ${dana} failed: ${undelivered}; continues over webhook`,
        `sms ${max} accepted`,
        `webhook ${dana} accepted`,
      ]);
    });

    it('goes on soon although the job waits to try somebody else again', async () => {
      const quick = fixture.receiver;
      let isDown = true;
      fixture.receiver = (request) =>
        isDown && String(request.body).includes(max.slice(1))
          ? answerOf(503, '', { 'retry-after': '600' })
          : quick(request);
      await write([dana, max]);
      await fixture.start();
      due();
      await fixture.jobsWhere(workspace, ([job]) => job?.status === 'pending' && job.attempts === 1);
      isDown = false;
      await report('undelivered');
      await fixture.until(
        () => fixture.deliveries(workspace),
        (rows) => rows.some((row) => row.channel === 'webhook' && row.status === 'accepted'),
      );
      expect(over()).toEqual(['sms', 'sms', 'webhook']);
    });

    it('says once what follows, however often the next channel is tried', async () => {
      const quick = fixture.receiver;
      let isDown = true;
      fixture.receiver = (request) => (isDown && !request.url.includes('twilio') ? answerOf(503) : quick(request));
      await write([dana]);
      await fixture.start();
      due();
      await ended();
      await report('undelivered');
      const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 2);
      isDown = false;
      fixture.clock.advance(fixture.clock.now().until(job!.run_at));
      expect(await ended(3)).toMatchObject({ status: 'completed' });
      expect(await ledger()).toEqual([
        `sms ${dana} failed: ${undelivered}; continues over webhook`,
        `webhook ${dana} accepted`,
      ]);
    });

    it('fails where there is no further channel for the person', async () => {
      answer(410);
      await write([dana]);
      await fixture.start();
      due();
      await ended();
      await report('undelivered');
      expect(await ended(2)).toMatchObject({ status: 'failed', error_message: '1 of 1 failed: HTTP 410' });
      expect(over()).toEqual(['sms', 'webhook']);
    });

    it('goes on after an answer that was lost', async () => {
      fixture.receiver = ({ url }) =>
        url.includes('twilio') ? { kind: 'lost', reason: 'The connection was reset' } : answerOf(200);
      await fixture.inWorkspace(workspace, ({ db }) =>
        db
          .updateTable('workspaces')
          .set({ settings: JSON.stringify({ unknownOutcomes: 'prefer_miss' }) })
          .execute(),
      );
      await write([dana]);
      await fixture.start();
      due();
      expect(await ended()).toMatchObject({ status: 'failed' });
      const [row] = await fixture.deliveries(workspace);
      expect(row).toMatchObject({ status: 'unknown' });
      await fixture.inWorkspace(workspace, ({ db }) =>
        db.updateTable('deliveries').set({ provider_id: 'SM1' }).where('id', '=', row!.id).execute(),
      );
      await report('undelivered');
      expect(await ended(2)).toMatchObject({ status: 'completed' });
      expect(over()).toEqual(['sms', 'webhook']);
    });

    it('does not go on once it was reported as delivered, whatever comes later', async () => {
      await write([dana]);
      await fixture.start();
      due();
      await ended();
      await report('delivered');
      await report('undelivered');
      expect(await ended()).toMatchObject({ status: 'completed', attempts: 1 });
      expect(await ledger()).toEqual([`sms ${dana} delivered`]);
    });

    it('does not go on once the next occurrence is due', async () => {
      await write([dana], {
        schedule_config: {
          type: 'scheduled',
          scheduleType: 'custom',
          customCron: '0 * * * *',
          startDate: '2026-03-02T09:00:00',
          timezone: 'UTC',
        },
      });
      await fixture.start();
      due();
      await ended();
      due();
      await fixture.jobsWhere(workspace, (jobs) => jobs.filter((job) => job.status === 'completed').length === 2);
      await report('undelivered');
      const [first, second] = await fixture.jobs(workspace);
      expect([first, second]).toMatchObject([
        { status: 'failed', error_message: `1 of 1 failed: ${undelivered}`, attempts: 1 },
        { status: 'completed' },
      ]);
      expect(over()).toEqual(['sms', 'sms']);
    });

    it('does not go on a day after its time', async () => {
      await write([dana]);
      await fixture.start();
      due();
      await ended();
      fixture.clock.advance({ hours: 24 });
      await report('undelivered');
      expect(await ended()).toMatchObject({ status: 'failed', attempts: 1 });
      expect(over()).toEqual(['sms']);
    });

    it.each([
      [
        'the reminder is paused',
        (id: string) => fixture.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id, status: 'paused' })),
      ],
      [
        'all reminders are paused',
        () =>
          fixture.inWorkspace(workspace, (ctx) =>
            ctx.db
              .updateTable('workspaces')
              .set({ reminders_paused_until: ctx.now.add({ hours: 2 }).toString() })
              .where('id', '=', ctx.workspaceId)
              .execute(),
          ),
      ],
    ])('does not go on while %s', async (_, pause) => {
      const { id } = await write([dana], { schedule_config: { ...once, scheduleType: 'daily' } });
      await fixture.start();
      due();
      await ended();
      await pause(id);
      await report('undelivered');
      expect(await ended()).toMatchObject({ status: 'failed', error_message: `1 of 1 failed: ${undelivered}` });
      expect(over()).toEqual(['sms']);
    });

    it('sends nothing to who is on the suppression list of the next channel', async () => {
      await suppress(fixture, { workspace, channel: 'webhook', recipient: dana });
      await write([dana]);
      await fixture.start();
      due();
      await ended();
      await report('undelivered');
      await ended(2);
      expect((await ledger()).at(-1)).toBe(`webhook ${dana} skipped: The recipient is on the suppression list`);
      expect(over()).toEqual(['sms']);
    });

    it('waits for the sending hours of the next channel', async () => {
      await addContact(fixture, { workspace, name: 'Dana', phone: dana, timezone: 'Europe/Berlin' });
      await setSendingHours(fixture, { workspace, from: '12:00', zone: 'workspace' });
      await write([dana]);
      await fixture.start();
      due();
      await ended();
      await report('undelivered');
      const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 2);
      expect(job?.run_at).toBe('2026-03-02T11:00:00.000Z');
      expect(over()).toEqual(['sms']);
      fixture.clock.advance({ hours: 2 });
      expect(await ended(3)).toMatchObject({ status: 'completed' });
      expect(over()).toEqual(['sms', 'webhook']);
    });

    it('tries what was not tried before it sends the same again, when a person retries the job', async () => {
      const { id } = await write([dana], { schedule_config: { ...once, scheduleType: 'daily' } });
      await fixture.start();
      due();
      await ended();
      await fixture.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id, status: 'paused' }));
      await report('undelivered');
      const failed = await ended();
      expect(failed.status).toBe('failed');
      await fixture.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id, status: 'active' }));
      await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: failed.id, action: 'retry' }));
      await fixture.jobsWhere(workspace, (jobs) =>
        jobs.some((job) => job.id === failed.id && job.status === 'completed'),
      );
      expect(over()).toEqual(['sms', 'webhook']);
      expect(await ledger()).toEqual([`sms ${dana} skipped: It was accepted over webhook`, `webhook ${dana} accepted`]);
    });

    it('goes on after a retry too, over a channel that the retry did not need', async () => {
      fixture.receiver = ({ url }) => answerOf(url.includes('twilio') ? 400 : 410);
      await write([dana]);
      await fixture.start();
      due();
      const failed = await ended();
      answer(200);
      await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: failed.id, action: 'retry' }));
      await fixture.jobsWhere(workspace, ([job]) => job?.status === 'completed');
      expect(await ledger()).toEqual([`sms ${dana} accepted`, `webhook ${dana} skipped: It was accepted over sms`]);
      const before = fixture.requests.length;
      await report('undelivered');
      await fixture.until(ledger, (rows) => rows.at(-1) === `webhook ${dana} accepted`);
      await fixture.jobsWhere(workspace, ([job]) => job?.status === 'completed');
      expect(over().slice(before)).toEqual(['webhook']);
    });
  });

  describe('of a job that is claimed again for somebody else', () => {
    const ann = { name: 'Ann', email: 'ann@example.com', phone: dana };
    const moved = '+4915112345670';
    /** Sends to Ann and Max, changes Ann's number, and reports the message to Max as undelivered. */
    async function reportOther(id: string, more: object): Promise<void> {
      const { id: reminder } = await write(['ann@example.com', max], more);
      expect(reminder).not.toBe('');
      await fixture.start();
      due();
      await ended();
      await changeContact(fixture, { workspace, id, name: 'Ann', email: 'ann@example.com', phone: moved });
      await report('undelivered', sent.indexOf(max) + 1);
      await ended(2);
    }

    it('is not sent to a number that its recipient has since, as a contact of the list', async () => {
      const id = await addContact(fixture, { workspace, ...ann });
      await reportOther(id, {});
      expect(await ledger()).toEqual([
        `sms ${dana} accepted`,
        `sms ${max} failed: ${undelivered}; continues over webhook`,
        `webhook ${max} accepted`,
      ]);
      expect(sent.toSorted()).toEqual([dana, max].toSorted());
    });

    it('is not sent to a number that its recipient has since, as a person of the audience', async () => {
      const id = await addContact(fixture, { workspace, ...ann });
      await reportOther(id, {
        content: { subject: 'Rent', message: 'Hi', recipients: [max] },
        metadata: { ...inOrder, audience: { everyone: true } },
      });
      expect(sent.toSorted()).toEqual([dana, max].toSorted());
      expect(over()).toEqual(['sms', 'sms', 'webhook']);
    });

    it('goes on for the recipient whose number has changed, once it fails itself', async () => {
      const id = await addContact(fixture, { workspace, ...ann });
      await reportOther(id, {});
      await report('undelivered', sent.indexOf(dana) + 1);
      await ended(3);
      expect((await ledger()).toSorted()).toEqual([
        `sms ${dana} failed: ${undelivered}; continues over webhook`,
        `sms ${max} failed: ${undelivered}; continues over webhook`,
        `webhook ${max} accepted`,
        'webhook ann@example.com accepted',
      ]);
      expect(sent).toHaveLength(2);
    });

    it('is not sent over a channel that a retry did not need, where the ledger no longer tells whose the number was', async () => {
      const id = await addContact(fixture, { workspace, ...ann });
      fixture.receiver = ({ url }) => answerOf(url.includes('twilio') ? 400 : 410);
      await write(['ann@example.com', max]);
      await fixture.start();
      due();
      const failed = await ended();
      answer(200);
      await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: failed.id, action: 'retry' }));
      await fixture.jobsWhere(workspace, ([job]) => job?.status === 'completed');
      expect(await ledger()).toContain('webhook ann@example.com skipped: It was accepted over sms');
      // As a version wrote it that did not record whose number it is.
      await fixture.inWorkspace(workspace, ({ db }) => db.updateTable('deliveries').set({ through: null }).execute());
      await fixture.inWorkspace(workspace, ({ db }) =>
        db.updateTable('contacts').set({ phone: null }).where('id', '=', id).execute(),
      );
      const before = fixture.requests.length;
      await report('undelivered', sent.indexOf(max) + 1);
      await fixture.until(ledger, (rows) => rows.includes(`webhook ${max} accepted`));
      await fixture.jobsWhere(workspace, ([job]) => job?.status === 'completed');
      expect(over().slice(before)).toEqual(['webhook']);
      expect(await ledger()).toContain('webhook ann@example.com skipped: It was accepted over sms');
    });
  });

  it('is gathered with those of others for some seconds: one claim follows all of them', async () => {
    const people = Array.from({ length: 6 }, (_, n) => `+491511234567${n}`);
    await write(people);
    await fixture.start();
    due();
    await ended();
    const reportedAt = fixture.clock.now();
    for (const number of [1, 2, 3, 4]) {
      await reportAlone('undelivered', number);
      fixture.clock.advance({ seconds: 2 });
    }
    const [waiting] = await fixture.jobs(workspace);
    expect(waiting).toMatchObject({ status: 'pending', attempts: 1 });
    expect(waiting?.run_at).toBe(new Date(reportedAt.epochMilliseconds + gatherFailuresMs).toISOString());
    fixture.clock.advance({ seconds: 2 });
    expect(await ended(2)).toMatchObject({ status: 'completed', attempts: 2 });
    expect(over().filter((one) => one === 'webhook')).toHaveLength(4);
  });

  it('is gathered also while the run still sends to others', async () => {
    const people = Array.from({ length: 4 }, (_, n) => `+491511234567${n}`);
    const last = people[3]!.slice(1);
    const delayed = delayAnswers(() => answerOf(201, '{"sid": "SM9", "status": "queued"}'));
    const quick = fixture.receiver;
    fixture.receiver = (request) => (String(request.body).includes(last) ? delayed(request) : quick(request));
    await write(people);
    await fixture.start();
    due();
    await delayed.arrived(1);
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.filter((row) => row.status === 'accepted').length === 3,
    );
    await reportAlone('undelivered', 1);
    delayed.release();
    await fixture.jobsWhere(workspace, ([job]) => job?.status === 'pending');
    await reportAlone('undelivered', 2);
    fixture.clock.advance({ milliseconds: gatherFailuresMs });
    expect(await ended(2)).toMatchObject({ status: 'completed', attempts: 2 });
    expect(over().filter((one) => one === 'webhook')).toHaveLength(2);
  });

  it('is followed before the occurrence expires, where that is sooner', async () => {
    await write([dana]);
    await fixture.start();
    due();
    await ended();
    fixture.clock.advance({ hours: 23, minutes: 59, seconds: 55 });
    await reportAlone('undelivered');
    fixture.clock.advance({ seconds: 4 });
    expect(await ended(2)).toMatchObject({ status: 'completed' });
    expect(over()).toEqual(['sms', 'webhook']);
  });

  it('changes nothing of a job whose time is another one by now', async () => {
    await write([dana]);
    await fixture.start();
    due();
    const { id } = await ended();
    await fixture.inWorkspace(workspace, ({ db }) =>
      db.updateTable('jobs').set({ scheduled_for: '2026-03-02T10:00:00Z' }).where('id', '=', id).execute(),
    );
    await report('undelivered');
    expect(await fixture.jobs(workspace)).toMatchObject([{ status: 'completed', attempts: 1 }]);
    expect(await ledger()).toEqual([`sms ${dana} failed: ${undelivered}`]);
  });

  it('counts people once its job may not go on, however many channels were tried for them', async () => {
    const id = await addContact(fixture, { workspace, name: 'Ann', email: 'ann@example.com', phone: dana });
    expect(id).not.toBe('');
    answer(410);
    await write(['ann@example.com', max], { metadata: { channels: ['webhook', 'sms'], channel_mode: 'in_order' } });
    await fixture.start();
    due();
    expect(await ended()).toMatchObject({ status: 'completed' });
    expect(await ledger()).toHaveLength(4);
    fixture.clock.advance({ hours: 24 });
    await report('undelivered', sent.indexOf(dana) + 1);
    expect(await ended()).toMatchObject({ status: 'failed', error_message: `1 of 2 failed: ${undelivered}` });
  });

  it('fails with its job where all channels send: nothing more is sent', async () => {
    await write([dana], { metadata: { channels: ['sms'], channel_mode: 'every' } });
    await fixture.start();
    due();
    await ended();
    await report('undelivered');
    expect(await ended()).toMatchObject({ status: 'failed', attempts: 1 });
    expect(over()).toEqual(['sms']);
  });

  it('fails its job also when it is reported while the run still sends to others', async () => {
    const delayed = delayAnswers(() => answerOf(201, '{"sid": "SM9", "status": "queued"}'));
    const quick = fixture.receiver;
    fixture.receiver = (request) => (String(request.body).includes(max.slice(1)) ? delayed(request) : quick(request));
    await write([dana, max], { metadata: { channels: ['sms'], channel_mode: 'every' } });
    await fixture.start();
    due();
    await delayed.arrived(1);
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.some((row) => row.status === 'accepted'),
    );
    await report('undelivered');
    delayed.release();
    expect(await ended(2)).toMatchObject({ status: 'failed', error_message: `1 of 2 failed: ${undelivered}` });
    expect(over()).toEqual(['sms', 'sms']);
  });

  it('fails its job also once that is in the archive', async () => {
    await write([dana], { metadata: { channels: ['sms'], channel_mode: 'every' } });
    await fixture.start();
    due();
    const { id } = await ended();
    await fixture.inWorkspace(workspace, ({ db, now }) =>
      db.updateTable('jobs').set({ archived_at: now.toString() }).where('id', '=', id).execute(),
    );
    await report('undelivered');
    expect(await ended()).toMatchObject({ status: 'failed', archived_at: null });
  });
});
