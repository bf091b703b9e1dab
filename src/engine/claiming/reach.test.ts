import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Reach, ReachQuery } from '#contract/reach.ts';
import { createDefaultRoutes } from '#delivery/defaults.ts';
import { renderOnThisThread } from '#domain/rendering.ts';
import { reachOfReminder } from '#features/reach/reminder-reach.service.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addChannel, addContact, suppress, switchOff } from '#testing/engine-rows.ts';
import { answerOf } from '#testing/receiver.ts';
import { sample } from '#testing/sample.ts';

const ports = {
  secrets: createSecretBox(TEST_ENCRYPTION_KEY),
  defaults: createDefaultRoutes({ sandbox: null, mailServer: null }),
  renderer: renderOnThisThread,
};

describe('whom a reminder is said to reach', { timeout: 120_000 }, () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let sms: string;
  beforeEach(async () => {
    fixture = await openEngineFixture();
    workspace = await fixture.createWorkspace();
    const twilio = { provider: 'twilio', api_key: 'AC0123', api_secret: 'a-token', from_number: '+493012345678' };
    sms = await addChannel(fixture, { workspace, type: 'sms', configuration: twilio });
    await addChannel(fixture, { workspace, type: 'webhook', configuration: { url: 'https://hooks.example.com/' } });
    fixture.receiver = ({ url }) =>
      url.includes('twilio') ? answerOf(201, '{"sid": "SM1", "status": "queued"}') : answerOf(200, 'thanks');
  });
  afterEach(() => fixture.close());

  const reachOf = async (id: string, query: object = {}): Promise<Reach> => {
    const answer = await fixture.inWorkspace(workspace, (ctx) =>
      reachOfReminder(ctx, { id, query: ReachQuery.parse(query) }, ports),
    );
    return answer.finish(() => Promise.reject(new Error('reads nothing more')));
  };

  async function addPeople(): Promise<void> {
    const amount = { Amount: '950' };
    const known = [
      { name: 'Anna', email: 'anna@example.com', phone: '+4915111111111', variables: amount },
      { name: 'Ben', email: 'ben@example.com', variables: amount },
      { name: 'Cleo', phone: '+4915122222222', variables: { a_mount: '800' } },
      { name: 'Dan', email: 'dan@example.com', phone: '+4915133333333' },
      { name: 'Eve', variables: amount },
      { name: 'Fay', email: 'fay@example.com', phone: '+4915144444444', variables: amount },
      { name: 'Gus', email: 'gus@example.com', phone: '+4915155555555', variables: amount },
    ];
    for (const one of known) await addContact(fixture, { workspace, ...one });
    await suppress(fixture, { workspace, channel: 'sms', recipient: '+4915144444444' });
    await suppress(fixture, { workspace, channel: 'webhook', recipient: 'gus@example.com' });
  }

  const channelLists = [
    ['sms'],
    ['webhook'],
    ['email'],
    ['sms', 'webhook'],
    ['webhook', 'sms'],
    ['whatsapp', 'sms'],
    ['email', 'sms', 'webhook'],
  ];
  const lists = [
    [],
    ['0151 11111111', 'Ben <BEN@example.com>', 'no address'],
    ['https://hooks.example.com/a', '+4930999999'],
  ];
  const messages = [
    'Hello {{recipient_name}}',
    'Pay {{amount}}',
    '{% if amount %}Pay {{ Amount }}{% else %}{{ unit }}{% endif %}',
  ];

  const cases = channelLists.flatMap((channels) =>
    ['every', 'in_order'].flatMap((channel_mode) =>
      lists.flatMap((recipients) => messages.map((message) => ({ channels, channel_mode, recipients, message }))),
    ),
  );

  it.each(['on', 'off'])('are those whom the claim sends it to, with the SMS channel %s', async (state) => {
    await addPeople();
    if (state === 'off') await switchOff(fixture, { workspace, id: sms });
    const said = new Map<string, Reach>();
    const drawn = sample.draw(cases, { name: `reach with SMS ${state}`, count: cases.length / 3 });
    for (const { channels, channel_mode, recipients, message } of drawn) {
      const { id } = await writeReminder(fixture, {
        workspace,
        name: `${channels.join('+')} ${channel_mode} ${lists.indexOf(recipients)} ${messages.indexOf(message)}`,
        content: { subject: 'Rent', message, recipients },
        metadata: { channels, channel_mode, audience: { everyone: true } },
      });
      said.set(id, await reachOf(id, { kind: 'reached' }));
    }
    await fixture.start();
    fixture.clock.advance({ hours: 1, seconds: 1 });
    const jobs = await fixture.jobsWhere(workspace, (all) => {
      const today = all.filter(({ scheduled_for: at }) => at < '2026-03-03');
      return today.length === said.size && today.every(({ status }) => !['pending', 'running'].includes(status));
    });
    const reminderOf = new Map(jobs.map((job) => [job.id, job.reminder_id]));
    const ledger = Map.groupBy(await fixture.deliveries(workspace), (row) => reminderOf.get(row.job_id) ?? '');
    for (const [id, reach] of said) {
      const sent = (ledger.get(id) ?? []).filter(({ status }) => status === 'accepted');
      const promised = new Set(
        reach.data.flatMap(({ targets }) =>
          targets.flatMap(({ channel, recipient, problem }) => (problem === null ? [`${channel} ${recipient}`] : [])),
        ),
      );
      const job = jobs.find((one) => one.reminder_id === id);
      const what = JSON.stringify([job?.name, job?.error_message, reach.counts]);
      expect(sent, what).toHaveLength(reach.messages);
      for (const { channel, recipient } of sent) expect(promised, what).toContain(`${channel} ${recipient}`);
      expect(reach.counts[0]?.people, what).toBe(reach.data.length);
    }
  });
});
