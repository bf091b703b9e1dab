import { expect, it } from 'vitest';
import { recipientKey } from '#domain/recipients.ts';
import { warningsOf } from '#domain/warnings.ts';
import { demoContacts } from '#features/demo/demo.contacts.ts';
import { demoReminders } from '#features/demo/demo.reminders.ts';

it('the demo warns of nothing: its contacts have what its messages name', () => {
  const reminders = demoReminders({
    firstAt: Temporal.Instant.from('2026-11-20T12:00:00Z'),
    timezone: 'Europe/Berlin',
    webhookUrl: null,
  });
  const contacts = new Map(demoContacts.map((contact) => [recipientKey(contact.email ?? ''), contact]));
  const warnings = reminders.flatMap((reminder) =>
    warningsOf({ ...reminder, next_run_at: null }, { isOpen: () => true, contacts }),
  );
  expect(warnings).toEqual([]);
  const withoutContacts = reminders.flatMap((reminder) =>
    warningsOf({ ...reminder, next_run_at: null }, { isOpen: () => true, contacts: new Map() }),
  );
  expect(withoutContacts).toEqual(['The variable amount has no value: the message will not be sent']);
});
