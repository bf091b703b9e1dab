import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addChannel, addContact, changeContact } from '#testing/engine-rows.ts';
import { answerOf } from '#testing/receiver.ts';

const message =
  'Dear {{recipient_name}}, {{amount}} for {{flat}} ({{recipient_email}}, {{recipient_phone | default: "no phone"}})';

describe('a recipient who is a contact', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
    await addChannel(house, { workspace, type: 'webhook', configuration: { url: 'https://hooks.example.com/all' } });
  });
  afterEach(() => house.close());

  const write = (recipients: string[], values: Record<string, string> = {}) =>
    writeReminder(house, { workspace, content: { subject: 'Rent', message, recipients, values } });
  const texts = () => house.messages().map((one) => one.message);

  it('is written to with the name and the values of the contact, however the address is written', async () => {
    await addContact(house, {
      workspace,
      name: 'Anna Smith',
      email: 'anna@example.com',
      phone: '+4915112345678',
      variables: { amount: '950 €', flat: 'Flat 3' },
    });
    await write(['ANNA@Example.com', '+49 151 1234 5678', 'Mrs Smith <anna@example.com>']);
    await house.start();
    house.clock.advance({ hours: 1 });
    await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(texts().sort()).toEqual([
      'Dear Anna Smith, 950 € for Flat 3 (ANNA@Example.com, +4915112345678)',
      'Dear Anna Smith, 950 € for Flat 3 (anna@example.com, +4915112345678)',
    ]);
    const named = house.requests.map((request) => JSON.parse(String(request.body)).data.recipient_name);
    expect(named).toEqual(['Anna Smith', 'Anna Smith']);
  });

  it('is found by a number without its country where the channel knows that', async () => {
    const configuration = {
      provider: 'twilio',
      api_key: 'AC0123',
      api_secret: 'a-token',
      from_number: '+493012345678',
    };
    await addChannel(house, { workspace, type: 'sms', configuration });
    await addContact(house, { workspace, phone: '+4915112345678', variables: { amount: '950 €' } });
    await writeReminder(house, {
      workspace,
      content: { subject: 'Rent', message: 'Due: {{amount}}', recipients: ['0151 1234 5678'] },
      metadata: { channels: ['sms'] },
    });
    await house.start();
    house.clock.advance({ hours: 1 });
    house.receiver = () => answerOf(201, '{"sid": "SM1", "status": "queued"}');
    const [job] = await house.jobsWhere(workspace, (all) => all.some((one) => one.completed_at !== null));
    expect([job?.status, job?.error_message]).toEqual(['completed', null]);
    expect(new URLSearchParams(String(house.requests[0]?.body)).get('Body')).toBe('Due: 950 €');
  });

  it("has its values stand behind the reminder's own, and its name behind that in the list", async () => {
    await addContact(house, { workspace, email: 'anna@example.com', variables: { amount: '950 €', flat: 'Flat 3' } });
    await write(['Mrs Smith <anna@example.com>'], { amount: '1,000 €' });
    await house.start();
    house.clock.advance({ hours: 1 });
    await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(texts()).toEqual(['Dear Mrs Smith, 1,000 € for Flat 3 (anna@example.com, no phone)']);
  });

  it('is looked up anew for a retry, and once more after a worker was lost', async () => {
    house.receiver = () => answerOf(503, 'busy');
    const id = await addContact(house, {
      workspace,
      name: 'Anna',
      email: 'anna@example.com',
      variables: { amount: '1', flat: 'A' },
    });
    await write(['anna@example.com']);
    const lost = await house.start();
    house.clock.advance({ hours: 1 });
    await house.until(
      () => house.deliveries(workspace),
      (all) => all[0]?.status === 'waiting',
    );
    await changeContact(house, { workspace, id, name: 'Anna Smith', variables: { amount: '2', flat: 'B' } });
    house.clock.advance({ seconds: 10 });
    await house.until(
      () => house.deliveries(workspace),
      (all) => all[0]?.attempts === 2 && all[0].status === 'waiting',
    );
    lost.kill();
    await changeContact(house, { workspace, id, name: 'Anna Jones', variables: { amount: '3', flat: 'C' } });
    house.receiver = () => answerOf(200, 'thanks');
    await house.start({ isAlone: true });
    house.clock.advance({ minutes: 10 });
    await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(texts()).toEqual([
      'Dear Anna, 1 for A (anna@example.com, no phone)',
      'Dear Anna Smith, 2 for B (anna@example.com, no phone)',
      'Dear Anna Jones, 3 for C (anna@example.com, no phone)',
    ]);
  });

  it('has the values also where it waits for a place', async () => {
    const people = Array.from({ length: 30 }, (_, index) => `person${index}@example.com`);
    for (const email of people)
      await addContact(house, { workspace, name: email, email, variables: { amount: '1', flat: email } });
    await write(people);
    await house.start({ limits: { slots: 4, slotsPerWorkspace: 4 } });
    house.clock.advance({ hours: 1 });
    await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(texts().sort()).toEqual(people.map((email) => `Dear ${email}, 1 for ${email} (${email}, no phone)`).sort());
  });

  it("is nobody's but its own workspace's", async () => {
    const other = await house.createWorkspace('Oak Street');
    await addContact(house, { workspace: other, email: 'anna@example.com', variables: { amount: '1', flat: 'A' } });
    await addContact(house, { workspace, email: 'bert@example.com' });
    await write(['anna@example.com']);
    await house.start();
    house.clock.advance({ hours: 1 });
    const [job] = await house.jobsWhere(workspace, (all) => all.some((one) => one.status === 'failed'));
    expect(job?.error_message).toBe('1 of 1 failed: missing variable amount');
    expect(house.requests).toEqual([]);
  });

  it('costs a workspace without contacts no question', async () => {
    await write(['Anna <anna@example.com>'], { amount: '1', flat: 'A' });
    const asked: string[] = [];
    await house.start({
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
    house.clock.advance({ hours: 1 });
    await house.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    await addContact(house, { workspace, email: 'anna@example.com' });
    house.clock.advance({ hours: 24 });
    await house.jobsWhere(workspace, (all) => all.filter((job) => job.status === 'completed').length === 2);
    expect(asked).toEqual(['anna@example.com']);
  });
});
