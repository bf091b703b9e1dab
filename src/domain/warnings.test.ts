import { describe, expect, it } from 'vitest';
import type { Reminder } from '#contract/reminders.ts';
import { messageWarnings } from '#domain/message-warnings.ts';
import { checkLine, recipientWarnings, warningsOf } from '#domain/warnings.ts';

type Parts = {
  schedule?: Partial<Reminder['schedule_config']>;
  content?: Partial<Reminder['content']>;
  metadata?: Partial<Reminder['metadata']>;
};

const noParts = { first_name: null, last_name: null, salutation: null, language: null };

const warnings = ({ schedule, content, metadata }: Parts = {}, contacts: Record<string, Record<string, string>> = {}) =>
  warningsFor(
    {
      status: 'active',
      next_run_at: null,
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'daily',
        startDate: '2026-01-01T09:00:00',
        timezone: 'UTC',
        ...schedule,
      },
      content: { subject: 'Rent', message: 'Dear {{recipient_name}}', recipients: ['dana@example.com'], ...content },
      metadata: { channels: ['email'], priority: 'medium', ...metadata },
    },
    new Map(
      Object.entries(contacts).map(([email, variables]) => [
        email,
        { ...noParts, name: null, email, phone: null, variables },
      ]),
    ),
  );

const warningsFor = (
  reminder: Pick<Reminder, 'status' | 'schedule_config' | 'content' | 'metadata' | 'next_run_at'>,
  contacts: Parameters<typeof messageWarnings>[1]['contacts'],
) =>
  warningsOf(reminder, {
    ofRecipients: recipientWarnings(
      reminder.content.recipients.map((text) => checkLine(text, { isOpen: () => false })),
      { channels: reminder.metadata.channels, isInOrder: reminder.metadata.channel_mode === 'in_order' },
    ),
    ofMessage: messageWarnings(reminder, { contacts }),
  });

describe('a reminder', () => {
  it('without problems has no warnings', () => {
    expect(warnings()).toEqual([]);
    expect(warnings({ schedule: { scheduleType: 'custom', customCron: '0 9 * * MON' } })).toEqual([]);
  });

  it('warns of an invalid cron expression, unless it is not used', () => {
    const schedule = { scheduleType: 'custom', customCron: '0 9 * *' } as const;
    expect(warnings({ schedule })).toEqual([
      'The schedule cannot run. The cron expression "0 9 * *" has 4 fields; it needs five: minute hour day month weekday',
    ]);
    expect(warnings({ schedule: { ...schedule, customCron: '*/0 * * * *' } })).toEqual([
      'The schedule cannot run. Minute: the step must be at least 1, not 0',
    ]);
    expect(warnings({ schedule: { ...schedule, scheduleType: 'daily' } })).toEqual([]);
    expect(warnings({ schedule: { ...schedule, type: 'event-based', eventTrigger: 'user_signup' } })).toEqual([]);
  });

  it('warns of an event that nobody has chosen', () => {
    expect(warnings({ schedule: { type: 'event-based' } })).toEqual([
      'The schedule cannot run. Event trigger is required',
    ]);
  });

  it('warns of a variable without a value, once', () => {
    const content = { subject: 'Rent of {{amount}}', message: '{{ amount }} for {{recipient_name}}' };
    const words = 'The variable amount has no value: the message will not be sent';
    expect(warnings({ content })).toEqual([words]);
    expect(warnings({ content: { ...content, values: { amount: ' ' } } })).toEqual([words]);
    expect(warnings({ content: { ...content, values: { amount: '950' } } })).toEqual([]);
    expect(warnings({ content: { message: '{{ amount | default: "the rent" }}' } })).toEqual([]);
  });

  it('names the recipients without a value when contacts have their own', () => {
    const content = { message: '{{amount}}', recipients: ['Anna <ANNA@example.com>', 'bert@example.com'] };
    const anna = { 'anna@example.com': { amount: '950' } };
    expect(warnings({ content }, anna)).toEqual([
      'The variable amount has no value for 1 of 2 recipients: they get no message',
    ]);
    expect(warnings({ content }, { ...anna, 'bert@example.com': { amount: '1' } })).toEqual([]);
    expect(warnings({ content }, { 'anna@example.com': { rent: '1' } })).toEqual([
      'The variable amount has no value: the message will not be sent',
    ]);
  });

  it('of an event expects variables from the event, but warns of a message that nothing can fill', () => {
    const schedule = { type: 'event-based', eventTrigger: 'user_signup' } as const;
    expect(warnings({ schedule, content: { message: '{{amount}}' } })).toEqual([]);
    expect(warnings({ schedule, content: { message: '{{ amount | shout }}' } })).toEqual([
      'The message cannot be filled in and will not be sent: undefined filter: shout, line:1, col:1',
    ]);
  });

  it('warns of recipients that fit no chosen channel', () => {
    expect(warnings({ content: { recipients: ['dana@example.com', '+49301234567'] } })).toEqual([
      '+49301234567: A phone number fits none of the chosen channels (email)',
    ]);
    expect(warnings({ content: { recipients: ['Dana', '+49301234567'] } })).toEqual([
      '2 recipients will be skipped, the first: "Dana" is neither an email address, a phone number nor a URL',
    ]);
  });

  it('warns of channels in order of which none can take over from another', () => {
    const warned = (channels: Reminder['metadata']['channels'], recipients: string[], mode = 'in_order' as const) =>
      warnings({ content: { recipients }, metadata: { channels, channel_mode: mode } });
    const [url, phone, email] = ['https://example.com/a', '+49301234567', 'dana@example.com'];
    expect(warned(['webhook', 'sms'], [url, phone])).toEqual([
      'No channel takes over if one fails, although they are tried in order: the webhook calls only the URLs in the list',
    ]);
    expect(warned(['slack', 'sms'], [phone])).toEqual([
      'No channel takes over if one fails, although they are tried in order: Slack and push go to destinations of their own',
    ]);
    // Without a URL in the list the webhook is called for each person, and SMS can take over.
    expect(warned(['webhook', 'sms'], [phone])).toEqual([]);
    expect(warned(['email', 'sms', 'webhook'], [url, phone, email])).toEqual([]);
  });

  it('warns of a web address with a port of another protocol', () => {
    const recipients = ['https://example.com:8443/a', 'Old mail server <https://example.com:25/hook>'];
    expect(warnings({ content: { recipients }, metadata: { channels: ['webhook'] } })).toEqual([
      'https://example.com:25/hook will be refused when it is sent. Port 25 belongs to another protocol: no web address may name it',
    ]);
  });

  it.each([
    'http://localhost/a',
    'https://api.localhost',
    'https://printer.local',
    'https://db.internal/',
    'http://127.0.0.1:3000',
    'http://10.1.2.3',
    'http://172.16.0.1',
    'http://192.168.0.1',
    'http://169.254.169.254/latest',
    'http://100.64.0.1',
    'http://2130706433/',
    'http://0x7f.1/',
    'http://[::1]/',
    'http://[fd00::1]/',
    'http://[fe80::1]/',
    'http://[::ffff:10.0.0.1]/',
    'Printer <http://10.1.2.3>',
  ])('warns of %s, which is a private address', (recipient) => {
    const address = /<(.*)>/.exec(recipient)?.[1] ?? recipient;
    expect(warnings({ content: { recipients: [recipient] }, metadata: { channels: ['webhook'] } })).toEqual([
      `${address} leads to a private address and may be refused when it is sent`,
    ]);
  });

  it.each([
    'https://example.com',
    'http://93.184.216.34/',
    'http://[2606:4700::1111]/',
    'http://[::ffff:93.184.216.34]/',
    'https://local.example.com',
    'https://172.example',
  ])('does not warn of %s', (recipient) => {
    expect(warnings({ content: { recipients: [recipient] }, metadata: { channels: ['webhook'] } })).toEqual([]);
  });

  it('warns of many private addresses in one sentence', () => {
    const recipients = ['http://10.0.0.1/a', 'http://10.0.0.2/b'];
    expect(warnings({ content: { recipients }, metadata: { channels: ['webhook'] } })).toEqual([
      '2 recipients lead to private addresses and may be refused when they are sent, the first: http://10.0.0.1/a',
    ]);
  });
});
