import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReasonCode } from '#contract/reason-codes.ts';
import { pauseContact } from '#features/exclusions/pause.service.ts';
import { skipRun } from '#features/exclusions/skips.service.ts';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { nextJobOf } from '#features/reminders/occurrence.service.ts';
import { getReminder, updateReminder } from '#features/reminders/reminders.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addChannel, addContact, addWebhookChannel, setSendingHours } from '#testing/engine-rows.ts';
import { answerOf } from '#testing/receiver.ts';

describe('a person whom somebody wants to spare a reminder', { timeout: 30_000 }, () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let anna: string;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
    await addChannel(fixture, { workspace, type: 'webhook', configuration: { url: 'https://relay.example.com/' } });
    anna = await addContact(fixture, { workspace, name: 'Anna', email: 'anna@example.com', phone: '+4915112345678' });
    await addContact(fixture, { workspace, name: 'Ben', email: 'ben@example.com' });
  });
  afterEach(() => fixture.close());

  const people = ['anna@example.com', 'ben@example.com'];
  /** Daily at nine, from 2 March. */
  const write = (recipients: readonly string[] = people, metadata: object = {}) =>
    writeReminder(fixture, {
      workspace,
      content: { subject: 'Rent', message: 'Hello', recipients },
      metadata: { channels: ['webhook'], ...metadata },
    });
  const toEveryone = () => write([], { audience: { everyone: true } });
  const skipNext = ({ id }: { id: string }, contactId = anna) =>
    fixture.inWorkspace(workspace, async (ctx) => {
      const jobId = await nextJobOf(ctx, id);
      if (jobId === null) throw new Error('there is no next run');
      await skipRun(ctx, { jobId, contactId });
    });
  const pause = (until: string, id = anna) => fixture.inWorkspace(workspace, (ctx) => pauseContact(ctx, { id, until }));
  const due = (jobs: readonly { status: string }[]) => jobs.filter(({ status }) => status !== 'pending').length;
  /** Lets the clock go on, until so many runs have begun and none of them goes on. */
  async function pass(by: Parameters<EngineFixture['clock']['advance']>[0], runs: number) {
    fixture.clock.advance(by);
    await fixture.jobsWhere(
      workspace,
      (jobs) => due(jobs) === runs && jobs.every(({ status }) => status !== 'running'),
    );
  }
  const sent = () => fixture.messages().map((one) => `${one.scheduled_for.slice(5, 10)} ${one.recipient}`);
  const skipped = async (): Promise<[string, ReasonCode | null, unknown, string | null][]> =>
    (await fixture.deliveries(workspace))
      .filter(({ status }) => status === 'skipped')
      .map(({ recipient, reason_code: code, reason_params: params, reason }) => [recipient, code, params, reason]);

  const audiences = [
    ['listed', write],
    ['in the audience', toEveryone],
  ] as const;

  it.each(audiences)('does not get the next run and gets those after it, where they are %s', async (_, written) => {
    await skipNext(await written());
    await fixture.start();
    await pass({ hours: 1, seconds: 1 }, 1);
    await pass({ hours: 24 }, 2);
    expect(sent().sort()).toEqual(['03-02 ben@example.com', '03-03 anna@example.com', '03-03 ben@example.com']);
    expect(await skipped()).toEqual([
      ['anna@example.com', 'person_skipped', null, 'This run was skipped for this person'],
    ]);
    const [first] = await fixture.jobs(workspace);
    expect([first?.status, first?.error_message]).toEqual([
      'completed',
      '1 of 2 skipped: This run was skipped for this person',
    ]);
  });

  it.each(audiences)(
    'gets nothing before the day until which they are paused, where they are %s',
    async (_, written) => {
      await pause('2026-03-04');
      await written();
      await fixture.start();
      await pass({ hours: 1, seconds: 1 }, 1);
      await pass({ hours: 24 }, 2);
      await pass({ hours: 24 }, 3);
      expect(sent().filter((line) => line.includes('anna'))).toEqual(['03-04 anna@example.com']);
      expect(await skipped()).toEqual(
        Array(2).fill([
          'anna@example.com',
          'person_paused',
          { until: '2026-03-04' },
          'Reminders to this person were paused until 4 Mar 2026',
        ]),
      );
    },
  );

  it('is paused until the day begins in their own time zone, else in that of the reminder', async () => {
    await fixture.inWorkspace(workspace, ({ db }) =>
      db.updateTable('contacts').set({ timezone: 'America/New_York' }).where('id', '=', anna).execute(),
    );
    const ben = await addContact(fixture, { workspace, email: 'carl@example.com' });
    await pause('2026-03-03');
    await pause('2026-03-03', ben);
    await writeReminder(fixture, {
      workspace,
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'custom',
        customCron: '30 1,6 * * *',
        startDate: '2026-03-02T12:00:00',
        timezone: 'Europe/Berlin',
      },
      content: { subject: 'Rent', message: 'Hello', recipients: ['anna@example.com', 'carl@example.com'] },
    });
    await fixture.start();
    // 01:30 in Berlin is 19:30 of the day before in New York, 06:30 is 00:30.
    await pass({ hours: 17 }, 1);
    await pass({ hours: 5 }, 2);
    expect(fixture.messages().map((one) => [one.recipient, one.scheduled_for])).toEqual([
      ['carl@example.com', '2026-03-03T00:30:00.000Z'],
      ['anna@example.com', '2026-03-03T05:30:00.000Z'],
      ['carl@example.com', '2026-03-03T05:30:00.000Z'],
    ]);
  });

  it('is not sent later what came due during their pause, though nothing could be sent then', async () => {
    await pause('2026-03-03');
    await write();
    fixture.clock.advance({ hours: 20 });
    await fixture.start();
    await pass({ seconds: 1 }, 1);
    expect(sent()).toEqual(['03-02 ben@example.com']);
  });

  it('does not get by a retry for the others what came due during their pause', async () => {
    await write();
    await pause('2026-03-03');
    fixture.receiver = () => answerOf(404, 'gone');
    await fixture.start();
    await pass({ hours: 1, seconds: 1 }, 1);
    fixture.receiver = () => answerOf(200, '');
    await pass({ hours: 24 }, 2);
    const first = (await fixture.jobs(workspace)).find(({ status }) => status === 'failed');
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: first?.id ?? '', action: 'retry' }));
    await fixture.jobsWhere(workspace, (jobs) => jobs.filter(({ status }) => status === 'completed').length === 2);
    expect(sent().sort()).toEqual([
      '03-02 ben@example.com',
      '03-02 ben@example.com',
      '03-03 anna@example.com',
      '03-03 ben@example.com',
    ]);
    expect((await skipped()).map(([recipient, code]) => [recipient, code])).toEqual([
      ['anna@example.com', 'person_paused'],
    ]);
  });

  it('is skipped in the run that an edit of the schedule has moved', async () => {
    const { id } = await write();
    await skipNext({ id });
    await fixture.inWorkspace(workspace, async (ctx) => {
      const { name, description, status, content, metadata, schedule_config: schedule } = await getReminder(ctx, id);
      const moved = { ...schedule, startDate: '2026-03-02T11:00:00' };
      await updateReminder(ctx, {
        id,
        input: { name, description, status, content, metadata, schedule_config: moved },
      });
    });
    await fixture.start();
    await pass({ hours: 3, seconds: 1 }, 1);
    await pass({ hours: 24 }, 2);
    expect(sent().sort()).toEqual(['03-02 ben@example.com', '03-03 anna@example.com', '03-03 ben@example.com']);
  });

  it('gets the run after one that was skipped for them and then cancelled for all', async () => {
    await skipNext(await write());
    const [job] = await fixture.jobs(workspace);
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'cancel' }));
    await fixture.start();
    await pass({ hours: 25, seconds: 1 }, 2);
    expect(sent().sort()).toEqual(['03-03 anna@example.com', '03-03 ben@example.com']);
  });

  it('is not tried again, nor over the next channel, once they are paused', async () => {
    await addChannel(fixture, {
      workspace,
      type: 'sms',
      configuration: { provider: 'twilio', api_key: 'AC0123', api_secret: 'a-token', from_number: '+493012345678' },
    });
    fixture.receiver = () => answerOf(503, 'busy');
    await write(['anna@example.com'], { channels: ['webhook', 'sms'], channel_mode: 'in_order' });
    await fixture.start();
    fixture.clock.advance({ hours: 1, seconds: 1 });
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.some(({ status, attempts }) => status === 'waiting' && attempts > 0),
    );
    const tried = fixture.requests.length;
    await pause('2026-03-09');
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (jobs) => jobs.some(({ completed_at: at }) => at !== null));
    expect(fixture.requests).toHaveLength(tried);
    expect(
      (await fixture.deliveries(workspace)).map(({ channel, status, reason_code }) => [channel, status, reason_code]),
    ).toEqual([['webhook', 'skipped', 'person_paused']]);
  });

  it('is not written to when the sending hours open, once they are paused', async () => {
    await setSendingHours(fixture, {
      workspace,
      from: '10:00',
      to: '18:00',
      timezone: 'UTC',
      zone: 'workspace',
    });
    await write(['anna@example.com']);
    await fixture.start();
    fixture.clock.advance({ hours: 1, seconds: 1 });
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.some(({ status }) => status === 'waiting'),
    );
    await pause('2026-03-09');
    await pass({ hours: 1 }, 1);
    expect(sent()).toEqual([]);
    expect((await skipped()).map(([, code]) => code)).toEqual(['person_paused']);
  });

  it('is sent what is written to them by hand', async () => {
    await pause('2026-03-09');
    await writeReminder(fixture, {
      workspace,
      schedule_config: { type: 'scheduled', scheduleType: 'once', timezone: 'UTC' },
      content: { subject: 'Keys', message: 'They are here', recipients: [] },
      metadata: { channels: ['webhook'], audience: { contacts: [anna] }, one_off: true },
    });
    await fixture.start();
    await pass({ seconds: 1 }, 1);
    expect(fixture.messages()).toMatchObject([{ recipient: 'anna@example.com' }]);
  });

  it('gets nothing of an occurrence over any of its channels, and a URL beside them is still called', async () => {
    await addWebhookChannel(fixture, workspace);
    await write(['Anna <ANNA@example.com>', '+49 151 12345678', 'https://hooks.example.com/a'], {
      channels: ['email', 'sms', 'webhook'],
    }).then(skipNext);
    await fixture.start();
    await pass({ hours: 1, seconds: 1 }, 1);
    expect((await skipped()).map(([recipient, code]) => `${recipient} ${code}`).sort()).toEqual([
      '+4915112345678 person_skipped',
      'ANNA@example.com person_skipped',
    ]);
    expect(fixture.messages()).toMatchObject([{ recipient: 'https://hooks.example.com/a' }]);
  });

  it('leaves a run without anybody cancelled, with the reason', async () => {
    await skipNext(await write(['anna@example.com']));
    await fixture.start();
    await pass({ hours: 1, seconds: 1 }, 1);
    const [job] = await fixture.jobs(workspace);
    expect([job?.status, job?.reason_code]).toEqual(['cancelled', 'person_skipped']);
    expect(sent()).toEqual([]);
  });

  it('is nobody of another workspace with the same address', async () => {
    const other = await fixture.createWorkspace('Next door');
    await addChannel(fixture, {
      workspace: other,
      type: 'webhook',
      configuration: { url: 'https://relay.example.com/' },
    });
    await pause('2026-03-09');
    await writeReminder(fixture, {
      workspace: other,
      content: { subject: 'Rent', message: 'Hello', recipients: ['anna@example.com'] },
    });
    await fixture.start();
    fixture.clock.advance({ hours: 1, seconds: 1 });
    await fixture.jobsWhere(other, (jobs) => jobs.some(({ status }) => status === 'completed'));
    expect(fixture.messages()).toMatchObject([{ recipient: 'anna@example.com' }]);
  });
});
