import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addChannel, addContact, suppress } from '#testing/engine-rows.ts';

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
        'The e-mail address has an invisible character at position 8: U+00AD (soft hyphen)',
      ],
      [
        'vic\u0007tim@example.com',
        'skipped',
        'The e-mail address has an invisible character at position 4: U+0007 (control character)',
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
