import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { setReminderStatus } from '#features/reminders/reminders.service.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addChannel, addContact, suppress, switchOff } from '#testing/engine-rows.ts';
import { answerOf, holdAnswers } from '#testing/receiver.ts';

describe('channels that are tried in order', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
    await addChannel(house, {
      workspace,
      type: 'sms',
      configuration: { provider: 'twilio', api_key: 'AC0123', api_secret: 'a-token', from_number: '+493012345678' },
    });
    await addChannel(house, { workspace, type: 'webhook', configuration: { url: 'https://hooks.example.com/' } });
    answer({});
  });
  afterEach(() => house.close());

  const dana = '+4915112345678';
  const max = '+4915112345679';
  const write = (recipients: string[], more: object = {}) =>
    writeReminder(house, {
      workspace,
      content: { subject: 'Rent', message: 'Hi', recipients },
      metadata: { channels: ['sms', 'webhook'], channel_mode: 'in_order' },
      ...more,
    });
  const due = () => house.clock.advance({ hours: 1 });
  /** What each provider answers; both take everything, if nothing is said. */
  function answer({ sms = 201, webhook = 200 }: { sms?: number; webhook?: number }): void {
    house.receiver = ({ url }) =>
      url.includes('twilio') ? answerOf(sms, '{"sid": "SM1", "status": "queued"}') : answerOf(webhook, 'thanks');
  }
  const over = () => house.requests.map(({ url }) => (url.includes('twilio') ? 'sms' : 'webhook'));
  const ended = async () => {
    const [job] = await house.jobsWhere(
      workspace,
      ([one]) => one !== undefined && !['pending', 'running'].includes(one.status),
    );
    return job;
  };
  const ledger = async () =>
    (await house.deliveries(workspace))
      .map((row) => `${row.channel} ${row.recipient} ${row.status}${row.reason === null ? '' : `: ${row.reason}`}`)
      .sort();

  it('send over the first one that fits, and over no other once that took it', async () => {
    await write([dana, 'ann@example.com']);
    await house.start();
    due();
    expect(await ended()).toMatchObject({ status: 'completed', error_message: null });
    expect(await ledger()).toEqual([`sms ${dana} accepted`, 'webhook ann@example.com accepted']);
    expect(over().sort()).toEqual(['sms', 'webhook']);
  });

  it('go on over the next one when the first refuses for good, and the job counts recipients', async () => {
    answer({ sms: 400 });
    await write([dana, max]);
    await house.start();
    due();
    expect(await ended()).toMatchObject({ status: 'completed', error_message: null });
    const rows = await ledger();
    expect(rows).toHaveLength(4);
    expect(rows[0]).toMatch(new RegExp(`^sms \\${dana} failed: .*; goes on over webhook$`));
    expect(rows.slice(2)).toEqual([`webhook ${dana} accepted`, `webhook ${max} accepted`]);
    expect(over().sort()).toEqual(['sms', 'sms', 'webhook', 'webhook']);
  });

  it('count a recipient as failed once, whom none of them reached', async () => {
    answer({ sms: 400, webhook: 410 });
    await write([dana, 'ann@example.com']);
    await house.start();
    due();
    expect(await ended()).toMatchObject({ status: 'failed', error_message: '2 of 2 failed: HTTP 410' });
  });

  it.each([{ failuresToOpen: 10 }, { failuresToOpen: 1 }])(
    'try one for half an hour when there is another, also where it cannot be reached (%j)',
    async ({ failuresToOpen }) => {
      answer({ sms: 503 });
      await write([dana]);
      await house.start({ limits: { failuresToOpen } });
      due();
      for (;;) {
        const [job] = await house.jobsWhere(workspace, ([one]) => one !== undefined && one.status !== 'running');
        if (job?.status === 'completed') break;
        if (Temporal.Instant.compare(Temporal.Instant.from(job?.run_at ?? ''), house.clock.now()) > 0)
          house.clock.advance(house.clock.now().until(job?.run_at ?? ''));
        await house.jobsWhere(
          workspace,
          ([one]) => one?.status === 'completed' || (one?.attempts ?? 0) > (job?.attempts ?? 0),
        );
      }
      const [sms, webhook] = await ledger();
      expect(sms).toMatch(/ failed: .*503.* \(waited for long enough\); goes on over webhook$/);
      expect(webhook).toBe(`webhook ${dana} accepted`);
      expect(over().filter((one) => one === 'sms')).toHaveLength(5);
      expect(house.clock.now().since('2026-03-02T09:00:00Z').total('minutes')).toBeLessThan(30);
    },
  );

  it('never go on from a message that may have arrived', async () => {
    house.receiver = ({ url }) =>
      url.includes('twilio') ? { kind: 'lost', reason: 'The connection was reset' } : answerOf(200);
    await write([dana], { metadata: { channels: ['sms', 'webhook'], channel_mode: 'in_order' } });
    await house.start();
    due();
    const [job] = await house.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 1);
    house.clock.advance(house.clock.now().until(job?.run_at ?? ''));
    expect(await ended()).toMatchObject({ status: 'failed' });
    expect(await ledger()).toEqual([`sms ${dana} unknown: Sent, but not answered: The connection was reset`]);
    expect(over()).toEqual(['sms', 'sms']);
  });

  it('never go on from somebody who does not want to hear', async () => {
    await suppress(house, { workspace, channel: 'sms', recipient: dana });
    await write([dana]);
    await house.start();
    due();
    expect(await ended()).toMatchObject({ status: 'cancelled' });
    expect(await ledger()).toEqual([`sms ${dana} skipped: The recipient is on the suppression list`]);
  });

  it('pass by a type of which every channel is off', async () => {
    const { id } = await house.inWorkspace(workspace, ({ db }) =>
      db.selectFrom('channels').select('id').where('type', '=', 'sms').executeTakeFirstOrThrow(),
    );
    await switchOff(house, { workspace, id });
    await write([dana]);
    await house.start();
    due();
    await ended();
    expect(await ledger()).toEqual([`webhook ${dana} accepted`]);
  });

  it("go on over the contact's number, written with the contact's name", async () => {
    await addContact(house, { workspace, name: 'Ann', email: 'ann@example.com', phone: dana });
    answer({ webhook: 410 });
    await write(['ann@example.com'], {
      content: { subject: 'Rent', message: 'Hi {{recipient_name}}', recipients: ['ann@example.com'] },
      metadata: { channels: ['webhook', 'sms'], channel_mode: 'in_order' },
    });
    await house.start();
    due();
    expect(await ended()).toMatchObject({ status: 'completed' });
    expect(await ledger()).toEqual([
      `sms ${dana} accepted`,
      'webhook ann@example.com failed: HTTP 410; goes on over sms',
    ]);
    expect(new URLSearchParams(String(house.requests[1]?.body)).get('Body')).toBe('Hi Ann');
  });

  it('are tried from the first one again by a retry, which leaves alone whom one of them reached', async () => {
    house.receiver = ({ url, body }) =>
      url.includes('twilio') ? answerOf(400) : answerOf(String(body).includes(dana) ? 200 : 410);
    await write([dana, max]);
    await house.start();
    due();
    const job = await ended();
    expect(job).toMatchObject({ status: 'failed', error_message: '1 of 2 failed: HTTP 410' });
    const before = house.requests.length;
    answer({});
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'retry' }));
    await house.jobsWhere(workspace, ([one]) => one?.status === 'completed');
    expect(over().slice(before)).toEqual(['sms']);
    expect(await ledger()).toEqual([
      `sms ${dana} skipped: It was accepted over webhook`,
      `sms ${max} accepted`,
      `webhook ${dana} accepted`,
      `webhook ${max} skipped: It was accepted over sms`,
    ]);
  });

  it('end where the reminder is paused meanwhile', async () => {
    const held = holdAnswers(() => answerOf(400));
    house.receiver = held;
    const { id } = await write([dana]);
    await house.start();
    due();
    await held.arrived(1);
    await house.inWorkspace(workspace, (ctx) => setReminderStatus(ctx, { id, status: 'paused' }));
    held.release();
    expect(await ended()).toMatchObject({ status: 'failed' });
    expect(over()).toEqual(['sms']);
  });

  it('lose no step with a worker: the next one is taken up after the rescue', async () => {
    answer({ sms: 400 });
    await write([dana]);
    // It is lost after the first channel has failed, before anything of the second has begun.
    const worker = await house.start({
      wrapStore: (store) => ({
        ...store,
        claim: (...request) => (house.requests.length > 0 ? new Promise(() => {}) : store.claim(...request)),
      }),
    });
    due();
    await house.jobsWhere(workspace, ([job]) => job?.status === 'pending' && job.attempts === 1);
    worker.kill();
    await house.start({ isAlone: true });
    expect(await ended()).toMatchObject({ status: 'completed' });
    expect(over().filter((one) => one === 'webhook')).toHaveLength(1);
  });
});
