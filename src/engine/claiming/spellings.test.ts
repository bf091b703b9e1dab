import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { phoneKey } from '#delivery/phone.ts';
import { targetsOf } from '#domain/recipients.ts';
import { keepSpellings } from '#engine/run/phone-numbers.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addChannel, addContact, suppress } from '#testing/engine-rows.ts';
import { answerOf } from '#testing/receiver.ts';

describe('one mailbox, however its address is spelled,', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
    await addChannel(fixture, { workspace, type: 'webhook', configuration: { url: 'https://hooks.example.com/all' } });
  });
  afterEach(() => fixture.close());

  async function sendTo(recipients: string[], content: object = {}) {
    await writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Pay', recipients, ...content } });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (all) => all.some(({ status }) => /completed|cancelled|failed/.test(status)));
    return (await fixture.deliveries(workspace))
      .map(({ recipient, status, reason }) => [recipient, status, reason])
      .toSorted(([one], [other]) => (String(one) < String(other) ? -1 : 1));
  }

  const sent = ['accepted', null];

  it('is written to once', async () => {
    const lines = await sendTo([
      'info@bücher.example',
      'info@xn--bcher-kva.example',
      'INFO@BÜCHER.example',
      'victim@example。com',
      'victim@example.com',
      'ｖｉｃｔｉｍ@ｅｘａｍｐｌｅ.com',
    ]);
    expect(lines).toEqual([
      ['info@bücher.example', ...sent],
      ['victim@example。com', ...sent],
    ]);
  });

  it('is not written to when it is suppressed', async () => {
    await suppress(fixture, { workspace, channel: 'webhook', recipient: 'info@bücher.example' });
    await suppress(fixture, { workspace, channel: 'webhook', recipient: 'victim@example.com' });
    const onTheList = ['skipped', 'The recipient is on the suppression list'];
    expect(await sendTo(['info@xn--bcher-kva.example', 'victim@example。com', 'ann@example.com'])).toEqual([
      ['ann@example.com', ...sent],
      ['info@xn--bcher-kva.example', ...onTheList],
      ['victim@example。com', ...onTheList],
    ]);
  });

  it('is skipped when its address has an invisible character, with its name and position', async () => {
    const recipients = ['karl@ex\u00adample.com', 'vic\u0007tim@example.com', '+49\u200b30 1234567'];
    expect(await sendTo(recipients)).toEqual([
      [
        '+49301234567',
        'skipped',
        'The phone number has an invisible character at position 4: U+200B (zero-width space)',
      ],
      [
        'karl@ex\u00adample.com',
        'skipped',
        'The email address has an invisible character at position 8: U+00AD (soft hyphen)',
      ],
      [
        'vic\u0007tim@example.com',
        'skipped',
        'The email address has an invisible character at position 4: U+0007 (control character)',
      ],
    ]);
  });

  it('is written to when the list also has it without the invisible character', async () => {
    expect(await sendTo(['karl@ex\u00adample.com', 'Karl <karl@example.com>'])).toEqual([
      ['karl@example.com', ...sent],
    ]);
  });

  it('is one contact', async () => {
    await addContact(fixture, {
      workspace,
      name: 'Karl Bücher',
      email: 'info@bücher.example',
      variables: { rent: '950' },
    });
    await sendTo(['INFO@xn--bcher-kva.example'], { message: 'Dear {{recipient_name}}, {{rent}}' });
    expect(fixture.messages().map(({ message }) => message)).toEqual(['Dear Karl Bücher, 950']);
  });
});

describe('one number, however it is spelled,', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
    const configuration = {
      provider: 'twilio',
      api_key: 'AC0123',
      api_secret: 'a-token',
      from_number: '+493012345678',
    };
    await addChannel(fixture, { workspace, type: 'sms', configuration });
    fixture.receiver = () => answerOf(201, '{"sid": "SM1", "status": "queued"}');
  });
  afterEach(() => fixture.close());

  const spellings = ['0151 23456789', '+4915123456789', '+49 (0)151 23456789', '+490151 23456789', '0049151-23456789'];

  async function sendTo(recipients: string[]) {
    await writeReminder(fixture, {
      workspace,
      content: { subject: 'Rent', message: 'Pay', recipients },
      metadata: { channels: ['sms'] },
    });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (all) => all.some((one) => one.completed_at !== null));
    return (await fixture.deliveries(workspace)).map(({ recipient, status, reason }) => [recipient, status, reason]);
  }

  it('is written to once, and the ledger has it in E.164', async () => {
    expect(await sendTo(spellings)).toEqual([['+4915123456789', 'accepted', null]]);
    expect(fixture.requests).toHaveLength(1);
  });

  it.each(spellings)('%s is not written to when the number is suppressed', async (recipient) => {
    await suppress(fixture, { workspace, channel: 'sms', recipient: '+4915123456789' });
    expect(await sendTo([recipient])).toEqual([
      ['+4915123456789', 'skipped', 'The recipient is on the suppression list'],
    ]);
  });

  it('is one contact', async () => {
    await addContact(fixture, { workspace, name: 'Karl', phone: '+4915123456789', variables: { rent: '950' } });
    await writeReminder(fixture, {
      workspace,
      content: { subject: 'Rent', message: '{{recipient_name}} {{rent}}', recipients: ['+490151 23456789'] },
      metadata: { channels: ['sms'] },
    });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (all) => all.some((one) => one.completed_at !== null));
    expect(String(fixture.requests[0]?.body)).toContain('Body=Karl+950');
  });

  it('is not tried again once it is suppressed, when an earlier version has written its row in another spelling', async () => {
    fixture.receiver = () => answerOf(503, '{}');
    await writeReminder(fixture, {
      workspace,
      content: { subject: 'Rent', message: 'Pay', recipients: ['+4915123456789'] },
      metadata: { channels: ['sms'] },
    });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (jobs) =>
      jobs.some(({ status, attempts }) => status === 'pending' && attempts > 0),
    );
    await fixture.database.engine.query("update deliveries set recipient = '0151 23456789'");
    await suppress(fixture, { workspace, channel: 'sms', recipient: '+4915123456789' });
    fixture.clock.advance({ hours: 1 });
    await fixture.jobsWhere(workspace, (jobs) => jobs.some(({ completed_at: at }) => at !== null));
    expect(
      (await fixture.deliveries(workspace)).map(({ recipient, status, reason_code: code }) => [
        recipient,
        status,
        code,
      ]),
    ).toEqual([['0151 23456789', 'skipped', 'suppressed']]);
    expect(fixture.requests).toHaveLength(1);
  });

  it('is not written to again when an earlier version has written its row in another spelling', async () => {
    const ledger = [{ channel: 'sms' as const, recipient: '0151 23456789' }];
    const targets = targetsOf(['+4915123456789', '030 1234567'], ['sms'], (number) =>
      phoneKey(number, { default_country: 'DE' }),
    );
    keepSpellings(targets, { ledger, international: (number) => phoneKey(number, { default_country: 'DE' }) });
    expect(targets.map(({ recipient }) => recipient)).toEqual(['0151 23456789', '+49301234567']);
  });
});
