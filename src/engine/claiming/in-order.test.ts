import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { setReminderStatus } from '#features/reminders/reminders.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addChannel, addContact, forgetValues, suppress, switchOff } from '#testing/engine-rows.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

describe('channels that are tried in order', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
    await addChannel(fixture, {
      workspace,
      type: 'sms',
      configuration: { provider: 'twilio', api_key: 'AC0123', api_secret: 'a-token', from_number: '+493012345678' },
    });
    await addChannel(fixture, { workspace, type: 'webhook', configuration: { url: 'https://hooks.example.com/' } });
    answer({});
  });
  afterEach(() => fixture.close());

  const dana = '+4915112345678';
  const max = '+4915112345679';
  const write = (recipients: string[], more: object = {}) =>
    writeReminder(fixture, {
      workspace,
      content: { subject: 'Rent', message: 'Hi', recipients },
      metadata: { channels: ['sms', 'webhook'], channel_mode: 'in_order' },
      ...more,
    });
  const due = () => fixture.clock.advance({ hours: 1 });
  /** What each provider answers. Default: both accept everything. */
  function answer({ sms = 201, webhook = 200 }: { sms?: number; webhook?: number }): void {
    fixture.receiver = ({ url }) =>
      url.includes('twilio') ? answerOf(sms, '{"sid": "SM1", "status": "queued"}') : answerOf(webhook, 'thanks');
  }
  const over = () => fixture.requests.map(({ url }) => (url.includes('twilio') ? 'sms' : 'webhook'));
  const ended = async () => {
    const [job] = await fixture.jobsWhere(
      workspace,
      ([one]) => one !== undefined && !['pending', 'running'].includes(one.status),
    );
    return job;
  };
  const ledger = async () =>
    (await fixture.deliveries(workspace))
      .map((row) => `${row.channel} ${row.recipient} ${row.status}${row.reason === null ? '' : `: ${row.reason}`}`)
      .sort();

  it('send over the first one that fits, and over no other once it has accepted', async () => {
    await write([dana, 'ann@example.com']);
    await fixture.start();
    due();
    expect(await ended()).toMatchObject({ status: 'completed', error_message: null });
    expect(await ledger()).toEqual([`sms ${dana} accepted`, 'webhook ann@example.com accepted']);
    expect(over().sort()).toEqual(['sms', 'webhook']);
  });

  it('continue over the next one when the first refuses permanently, and the job counts recipients', async () => {
    answer({ sms: 400 });
    await write([dana, max]);
    await fixture.start();
    due();
    expect(await ended()).toMatchObject({ status: 'completed', error_message: null });
    const rows = await ledger();
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatch(new RegExp(`^sms \\${dana} failed: .*; continues over webhook$`));
    expect(rows.slice(2)).toEqual([`webhook ${dana} accepted`, `webhook ${max} accepted`]);
    expect(over().sort()).toEqual(['sms', 'sms', 'webhook', 'webhook']);
  });

  it('count a recipient whom none of them reached as failed once', async () => {
    answer({ sms: 400, webhook: 410 });
    await write([dana, 'ann@example.com']);
    await fixture.start();
    due();
    expect(await ended()).toMatchObject({ status: 'failed', error_message: '2 of 2 failed: HTTP 410' });
  });

  it.each([{ failuresToOpen: 10 }, { failuresToOpen: 1 }])(
    'try one for half an hour when there is another, also when it cannot be reached (%j)',
    async ({ failuresToOpen }) => {
      answer({ sms: 503 });
      await write([dana]);
      await fixture.start({ limits: { failuresToOpen } });
      due();
      for (;;) {
        const [job] = await fixture.jobsWhere(workspace, ([one]) => one !== undefined && one.status !== 'running');
        if (job?.status === 'completed') break;
        if (Temporal.Instant.compare(Temporal.Instant.from(job?.run_at ?? ''), fixture.clock.now()) > 0)
          fixture.clock.advance(fixture.clock.now().until(job?.run_at ?? ''));
        await fixture.jobsWhere(
          workspace,
          ([one]) => one?.status === 'completed' || (one?.attempts ?? 0) > (job?.attempts ?? 0),
        );
      }
      const [sms, webhook] = await ledger();
      expect(sms).toMatch(/ failed: .*503.* \(its time limit has passed\); continues over webhook$/);
      expect(webhook).toBe(`webhook ${dana} accepted`);
      expect(over().filter((one) => one === 'sms')).toHaveLength(5);
      expect(fixture.clock.now().since('2026-03-02T09:00:00Z').total('minutes')).toBeLessThan(30);
    },
  );

  it('never continue after a message that may have arrived', async () => {
    fixture.receiver = ({ url }) =>
      url.includes('twilio') ? { kind: 'lost', reason: 'The connection was reset' } : answerOf(200);
    await write([dana], { metadata: { channels: ['sms', 'webhook'], channel_mode: 'in_order' } });
    await fixture.start();
    due();
    const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 1);
    fixture.clock.advance(fixture.clock.now().until(job?.run_at ?? ''));
    expect(await ended()).toMatchObject({ status: 'failed' });
    expect(await ledger()).toEqual([`sms ${dana} unknown: Sent, but not answered: The connection was reset`]);
    expect(over()).toEqual(['sms', 'sms']);
  });

  it('never continue for a suppressed recipient', async () => {
    await suppress(fixture, { workspace, channel: 'sms', recipient: dana });
    await write([dana]);
    await fixture.start();
    due();
    expect(await ended()).toMatchObject({ status: 'cancelled' });
    expect(await ledger()).toEqual([`sms ${dana} skipped: The recipient is on the suppression list`]);
  });

  it('never continue for a message that lacks a value, which no channel has', async () => {
    await write([dana], {
      content: { subject: 'Rent', message: '{{stra_e}}', values: { stra_e: 'Elm 1' }, recipients: [dana] },
    });
    await forgetValues(fixture, workspace);
    await fixture.start();
    due();
    expect(await ended()).toMatchObject({ status: 'failed', error_message: '1 of 1 failed: no value for {{stra_e}}' });
    expect(await ledger()).toEqual([`sms ${dana} failed: no value for {{stra_e}}`]);
    expect(await fixture.deliveries(workspace)).toMatchObject([
      { reason_code: 'missing_value', reason_params: { name: 'stra_e' } },
    ]);
    expect(over()).toEqual([]);
  });

  it('leave those that a retry opens unsent, for the same cause, once a value is missing', async () => {
    answer({ sms: 400, webhook: 410 });
    const { id } = await write([dana]);
    await fixture.start();
    due();
    const failed = await ended();
    await fixture.inWorkspace(workspace, async (ctx) => {
      await ctx.db
        .updateTable('reminders')
        .set({ content: sql<string>`(content::jsonb || '{"message": "{{amount}}"}')::json` })
        .where('id', '=', id)
        .execute();
      await actOnJob(ctx, { id: failed!.id, action: 'retry' });
    });
    await fixture.jobsWhere(
      workspace,
      ([one]) => one?.status === 'failed' && one.error_message !== failed?.error_message,
    );
    expect(await ledger()).toEqual([
      `sms ${dana} failed: no value for {{amount}}`,
      `webhook ${dana} skipped: no value for {{amount}}`,
    ]);
    const params = (await fixture.deliveries(workspace)).map((row) => row.reason_params);
    expect(params).toEqual([{ name: 'amount' }, { name: 'amount' }]);
  });

  it('skip a type of which every channel is off', async () => {
    const { id } = await fixture.inWorkspace(workspace, ({ db }) =>
      db.selectFrom('channels').select('id').where('type', '=', 'sms').executeTakeFirstOrThrow(),
    );
    await switchOff(fixture, { workspace, id });
    await write([dana]);
    await fixture.start();
    due();
    await ended();
    expect(await ledger()).toEqual([`webhook ${dana} accepted`]);
  });

  it("continue over the contact's number, with the contact's name", async () => {
    await addContact(fixture, { workspace, name: 'Ann', email: 'ann@example.com', phone: dana });
    answer({ webhook: 410 });
    await write(['ann@example.com'], {
      content: { subject: 'Rent', message: 'Hi {{recipient_name}}', recipients: ['ann@example.com'] },
      metadata: { channels: ['webhook', 'sms'], channel_mode: 'in_order' },
    });
    await fixture.start();
    due();
    expect(await ended()).toMatchObject({ status: 'completed' });
    expect(await ledger()).toEqual([
      `sms ${dana} accepted`,
      'webhook ann@example.com failed: HTTP 410; continues over sms',
    ]);
    expect(new URLSearchParams(String(fixture.requests[1]?.body)).get('Body')).toBe('Hi Ann');
  });

  it('do not take over between a URL of the list and a person: both are sent to at once', async () => {
    answer({ webhook: 410 });
    await write(['https://hooks.example.com/on-call', dana], {
      metadata: { channels: ['webhook', 'sms'], channel_mode: 'in_order' },
    });
    await fixture.start();
    due();
    await ended();
    expect(await ledger()).toEqual([
      `sms ${dana} accepted`,
      'webhook https://hooks.example.com/on-call failed: HTTP 410',
    ]);
    expect(over().sort()).toEqual(['sms', 'webhook']);
  });

  const preferring = async (channel: 'sms' | 'whatsapp' = 'sms') => {
    const id = await addContact(fixture, {
      workspace,
      name: 'Ann',
      email: 'ann@example.com',
      phone: dana,
      preferred_channel: channel,
    });
    return { id, name: 'Ann', email: 'ann@example.com', phone: dana };
  };
  /** What was begun with because the person prefers it. */
  const byPreference = async () =>
    (await fixture.deliveries(workspace))
      .filter((row) => row.by_preference)
      .map(({ channel, recipient }) => `${channel} ${recipient}`);
  const webhookFirst = { metadata: { channels: ['webhook', 'sms'], channel_mode: 'in_order' } };

  it('begin with the one that the person prefers, and continue over the others', async () => {
    await preferring();
    fixture.receiver = ({ url }) => answerOf(url.includes('twilio') ? 400 : 200);
    await write(['ann@example.com', max], webhookFirst);
    await fixture.start();
    due();
    expect(await ended()).toMatchObject({ status: 'completed' });
    expect(await ledger()).toEqual([
      `sms ${dana} failed: Twilio: HTTP 400; continues over webhook`,
      'webhook +4915112345679 accepted',
      'webhook ann@example.com accepted',
    ]);
    expect(await byPreference()).toEqual([`sms ${dana}`]);
  });

  it('are not by preference where the reminder begins with the one that is preferred', async () => {
    await preferring();
    await write([dana], { metadata: { channels: ['sms', 'webhook'], channel_mode: 'in_order' } });
    await fixture.start();
    due();
    await ended();
    expect([await ledger(), await byPreference()]).toEqual([[`sms ${dana} accepted`], []]);
  });

  it('keep their order for a person who prefers one that the reminder does not have, or that may not be used', async () => {
    await preferring('whatsapp');
    await write(['ann@example.com'], webhookFirst);
    await fixture.start();
    due();
    await ended();
    expect(await ledger()).toEqual(['webhook ann@example.com accepted']);
  });

  it('take no message from who prefers one on which they are suppressed', async () => {
    await preferring();
    await suppress(fixture, { workspace, channel: 'sms', recipient: dana });
    await write(['ann@example.com'], webhookFirst);
    await fixture.start();
    due();
    await ended();
    expect(await ledger()).toEqual(['webhook ann@example.com accepted']);
  });

  it('all send where they are not tried in order, whatever a person prefers', async () => {
    await preferring();
    await write(['ann@example.com', dana], { metadata: { channels: ['webhook', 'sms'], channel_mode: 'every' } });
    await fixture.start();
    due();
    await ended();
    expect(await ledger()).toEqual([
      `sms ${dana} accepted`,
      `webhook ${dana} accepted`,
      'webhook ann@example.com accepted',
    ]);
  });

  it('go on to what was not tried when the preference changes while they are tried', async () => {
    const person = await preferring();
    const delayed = delayAnswers(({ url }) => answerOf(url.includes('twilio') ? 400 : 200));
    fixture.receiver = delayed;
    await write(['ann@example.com'], webhookFirst);
    await fixture.start();
    due();
    await delayed.arrived(1);
    // Without a preference, the webhook would come before the failed SMS.
    await fixture.inWorkspace(workspace, ({ db }) =>
      db.updateTable('contacts').set({ preferred_channel: null }).where('id', '=', person.id).execute(),
    );
    delayed.release();
    expect(await ended()).toMatchObject({ status: 'completed' });
    expect(await ledger()).toEqual([
      `sms ${dana} failed: Twilio: HTTP 400; continues over webhook`,
      'webhook ann@example.com accepted',
    ]);
  });

  it('give the last one its whole time when the preference changes while it is tried', async () => {
    const person = await preferring();
    const reachableAt = Temporal.Instant.from('2026-03-02T10:00:00Z');
    const isReachable = () => Temporal.Instant.compare(fixture.clock.now(), reachableAt) >= 0;
    fixture.receiver = ({ url }) => answerOf(url.includes('twilio') ? 400 : isReachable() ? 200 : 503);
    await write(['ann@example.com'], webhookFirst);
    await fixture.start();
    due();
    const attemptsAfter = (attempts: number) =>
      fixture.jobsWhere(
        workspace,
        ([one]) =>
          one !== undefined && one.status !== 'running' && (one.status !== 'pending' || one.attempts > attempts),
      );
    let [job] = await attemptsAfter(1);
    // By the reminder's order, the webhook would now have the failed SMS after it.
    await fixture.inWorkspace(workspace, ({ db }) =>
      db.updateTable('contacts').set({ preferred_channel: null }).where('id', '=', person.id).execute(),
    );
    while (job?.status === 'pending') {
      fixture.clock.advance(fixture.clock.now().until(job.run_at));
      [job] = await attemptsAfter(job.attempts);
    }
    expect(job?.status).toBe('completed');
    expect(await ledger()).toEqual([
      `sms ${dana} failed: Twilio: HTTP 400; continues over webhook`,
      'webhook ann@example.com accepted',
    ]);
  });

  it('are tried from the first one again by a retry, except for recipients whom one of them reached', async () => {
    fixture.receiver = ({ url, body }) =>
      url.includes('twilio') ? answerOf(400) : answerOf(String(body).includes(dana) ? 200 : 410);
    await write([dana, max]);
    await fixture.start();
    due();
    const job = await ended();
    expect(job).toMatchObject({ status: 'failed', error_message: '1 of 2 failed: HTTP 410' });
    const before = fixture.requests.length;
    answer({});
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'retry' }));
    await fixture.jobsWhere(workspace, ([one]) => one?.status === 'completed');
    expect(over().slice(before)).toEqual(['sms']);
    const codes = (await fixture.deliveries(workspace)).map((row) => row.reason_code);
    expect(codes.filter((code) => code !== null)).toEqual(['sent_over_another_channel', 'sent_over_another_channel']);
    expect(await ledger()).toEqual([
      `sms ${dana} skipped: It was accepted over webhook`,
      `sms ${max} accepted`,
      `webhook ${dana} accepted`,
      `webhook ${max} skipped: It was accepted over sms`,
    ]);
  });

  it('end when the reminder is paused meanwhile', async () => {
    const delayed = delayAnswers(() => answerOf(400));
    fixture.receiver = delayed;
    const { id } = await write([dana]);
    await fixture.start();
    due();
    await delayed.arrived(1);
    await fixture.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id, status: 'paused' }));
    delayed.release();
    expect(await ended()).toMatchObject({ status: 'failed' });
    expect(over()).toEqual(['sms']);
  });

  it('lose no step with a worker: the next one begins after the rescue', async () => {
    answer({ sms: 400 });
    await write([dana]);
    // The worker is lost after the first channel has failed, before the second has begun.
    const worker = await fixture.start({
      wrapStore: (store) => ({
        ...store,
        claim: (...request) => (fixture.requests.length > 0 ? new Promise(() => {}) : store.claim(...request)),
      }),
    });
    due();
    await fixture.jobsWhere(workspace, ([job]) => job?.status === 'pending' && job.attempts === 1);
    worker.kill();
    await fixture.start({ isAlone: true });
    expect(await ended()).toMatchObject({ status: 'completed' });
    expect(over().filter((one) => one === 'webhook')).toHaveLength(1);
  });
});
