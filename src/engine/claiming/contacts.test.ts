import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addChannel, addContact, changeContact, forgetValues } from '#testing/engine-rows.ts';
import { answerOf } from '#testing/receiver.ts';

const message =
  'Dear {{recipient_name}}, {{amount}} for {{flat}} ({{recipient_email}}, {{recipient_phone | default: "no phone"}})';

describe('a recipient who is a contact', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
    await addChannel(fixture, { workspace, type: 'webhook', configuration: { url: 'https://hooks.example.com/all' } });
  });
  afterEach(() => fixture.close());

  const write = (recipients: string[], values: Record<string, string> = {}) =>
    writeReminder(fixture, { workspace, content: { subject: 'Rent', message, recipients, values } });
  const texts = () => fixture.messages().map((one) => one.message);

  it("is sent the contact's name and values, however the address is spelled", async () => {
    await addContact(fixture, {
      workspace,
      name: 'Anna Smith',
      email: 'anna@example.com',
      phone: '+4915112345678',
      variables: { amount: '950 €', flat: 'Flat 3' },
    });
    await write(['ANNA@Example.com', '+49 151 1234 5678', 'Mrs Smith <anna@example.com>']);
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(texts().sort()).toEqual([
      'Dear Anna Smith, 950 € for Flat 3 (ANNA@Example.com, +4915112345678)',
      'Dear Anna Smith, 950 € for Flat 3 (anna@example.com, +4915112345678)',
    ]);
    const named = fixture.requests.map((request) => JSON.parse(String(request.body)).data.recipient_name);
    expect(named).toEqual(['Anna Smith', 'Anna Smith']);
  });

  it('is found by a number without its country code when the channel has a default country', async () => {
    const configuration = {
      provider: 'twilio',
      api_key: 'AC0123',
      api_secret: 'a-token',
      from_number: '+493012345678',
    };
    await addChannel(fixture, { workspace, type: 'sms', configuration });
    await addContact(fixture, { workspace, phone: '+4915112345678', variables: { amount: '950 €' } });
    await writeReminder(fixture, {
      workspace,
      content: { subject: 'Rent', message: 'Due: {{amount}}', recipients: ['0151 1234 5678'] },
      metadata: { channels: ['sms'] },
    });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    fixture.receiver = () => answerOf(201, '{"sid": "SM1", "status": "queued"}');
    const [job] = await fixture.jobsWhere(workspace, (all) => all.some((one) => one.completed_at !== null));
    expect([job?.status, job?.error_message]).toEqual(['completed', null]);
    expect(new URLSearchParams(String(fixture.requests[0]?.body)).get('Body')).toBe('Due: 950 €');
  });

  it("has values that yield to the reminder's own, and a name that yields to the one in the list", async () => {
    await addContact(fixture, { workspace, email: 'anna@example.com', variables: { amount: '950 €', flat: 'Flat 3' } });
    await write(['Mrs Smith <anna@example.com>'], { amount: '1,000 €' });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(texts()).toEqual(['Dear Mrs Smith, 1,000 € for Flat 3 (anna@example.com, no phone)']);
  });

  it('is looked up again for a retry and after a rescue', async () => {
    fixture.receiver = () => answerOf(503, 'busy');
    const id = await addContact(fixture, {
      workspace,
      name: 'Anna',
      email: 'anna@example.com',
      variables: { amount: '1', flat: 'A' },
    });
    await write(['anna@example.com']);
    const lost = await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.until(
      () => fixture.deliveries(workspace),
      (all) => all[0]?.status === 'waiting',
    );
    await changeContact(fixture, { workspace, id, name: 'Anna Smith', variables: { amount: '2', flat: 'B' } });
    fixture.clock.advance({ seconds: 10 });
    await fixture.until(
      () => fixture.deliveries(workspace),
      (all) => all[0]?.attempts === 2 && all[0].status === 'waiting',
    );
    lost.kill();
    await changeContact(fixture, { workspace, id, name: 'Anna Jones', variables: { amount: '3', flat: 'C' } });
    fixture.receiver = () => answerOf(200, 'thanks');
    await fixture.start({ isAlone: true });
    fixture.clock.advance({ minutes: 10 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(texts()).toEqual([
      'Dear Anna, 1 for A (anna@example.com, no phone)',
      'Dear Anna Smith, 2 for B (anna@example.com, no phone)',
      'Dear Anna Jones, 3 for C (anna@example.com, no phone)',
    ]);
  });

  it('has its values even when it waits for a slot', async () => {
    const people = Array.from({ length: 30 }, (_, index) => `person${index}@example.com`);
    for (const email of people)
      await addContact(fixture, { workspace, name: email, email, variables: { amount: '1', flat: email } });
    await write(people);
    await fixture.start({ limits: { slots: 4, slotsPerWorkspace: 4 } });
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(texts().sort()).toEqual(people.map((email) => `Dear ${email}, 1 for ${email} (${email}, no phone)`).sort());
  });

  it('belongs to its own workspace only', async () => {
    const other = await fixture.createWorkspace('Oak Street');
    await addContact(fixture, { workspace: other, email: 'anna@example.com', variables: { amount: '1', flat: 'A' } });
    await addContact(fixture, { workspace, email: 'bert@example.com' });
    await write(['anna@example.com'], { amount: '1', flat: 'A' });
    await forgetValues(fixture, workspace);
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    const [job] = await fixture.jobsWhere(workspace, (all) => all.some((one) => one.status === 'failed'));
    expect(job?.error_message).toBe('1 of 1 failed: no value for {{amount}}');
    expect(fixture.requests).toEqual([]);
  });

  it('costs a workspace without contacts no query', async () => {
    await write(['Anna <anna@example.com>'], { amount: '1', flat: 'A' });
    const asked: string[] = [];
    await fixture.start({
      wrapStore: (store) => ({
        ...store,
        claim: (request, decide) =>
          store.claim(request, (found) =>
            decide({
              ...found,
              contacts: (those) => {
                asked.push(...those.map(({ key }) => key));
                return found.contacts(those);
              },
            }),
          ),
      }),
    });
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    await addContact(fixture, { workspace, email: 'anna@example.com' });
    fixture.clock.advance({ hours: 24 });
    await fixture.jobsWhere(workspace, (all) => all.filter((job) => job.status === 'completed').length === 2);
    expect(asked).toEqual(['anna@example.com']);
  });
});
