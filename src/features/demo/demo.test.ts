import { expect, it } from 'vitest';
import { recipientKey } from '#domain/recipients.ts';
import { messageWarnings } from '#domain/message-warnings.ts';
import { checkLine, recipientWarnings, warningsOf } from '#domain/warnings.ts';
import { demoContacts } from '#features/demo/demo.contacts.ts';
import { demoReminders } from '#features/demo/demo.reminders.ts';

it('the demo has no warnings: its contacts have all variables of its messages', () => {
  const reminders = demoReminders({
    firstAt: Temporal.Instant.from('2026-11-20T12:00:00Z'),
    timezone: 'Europe/Berlin',
    webhookUrl: null,
  });
  const contacts = new Map(demoContacts.map((contact) => [recipientKey(contact.email ?? ''), contact]));
  const warnings = (known: typeof contacts) =>
    reminders.flatMap((reminder) =>
      warningsOf(reminder, {
        ofRecipients: recipientWarnings(
          reminder.content.recipients.map((text) => checkLine(text, { isOpen: () => true })),
          reminder.metadata.channels,
        ),
        ofMessage: messageWarnings(reminder, { contacts: known }),
      }),
    );
  expect(warnings(contacts)).toEqual([]);
  expect(warnings(new Map())).toEqual(['The variable amount has no value: the message will not be sent']);
});
