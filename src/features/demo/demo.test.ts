import { randomUUIDv7 } from 'node:crypto';
import { expect, it } from 'vitest';
import { recipientKey } from '#domain/recipients.ts';
import { messageWarnings } from '#domain/message-warnings.ts';
import { checkLine, recipientWarnings, warningsOf } from '#domain/warnings.ts';
import { demoContacts } from '#features/demo/demo.contacts.ts';
import { demoReminders } from '#features/demo/demo.reminders.ts';
import { demoCategories, starterNamed } from '#features/demo/demo.templates.ts';

it('the demo has no warnings: its contacts have all variables of its messages', () => {
  const groups = new Map(
    ['All tenants', 'Elm Street', 'Harbour Lane', 'The team'].map((name) => [name, randomUUIDv7()]),
  );
  const reminders = demoReminders({
    firstAt: Temporal.Instant.from('2026-11-20T12:00:00Z'),
    timezone: 'Europe/Berlin',
    webhookUrl: null,
    groups,
    templates: new Map(),
    topics: { notices: randomUUIDv7(), news: randomUUIDv7() },
  });
  const contacts = new Map(demoContacts.map((contact) => [recipientKey(contact.email ?? ''), contact]));
  const warnings = reminders.flatMap(({ input }) =>
    warningsOf(input, {
      ofRecipients: recipientWarnings(
        input.content.recipients.map((text) => checkLine(text, { isOpen: () => true })),
        { channels: input.metadata.channels, isInOrder: input.metadata.channel_mode === 'in_order' },
      ),
      ofMessage: messageWarnings(input, { contacts }),
    }),
  );
  expect(warnings).toEqual([]);
});

it('the addresses and numbers of the demo are reserved for examples, and each is one person’s', () => {
  const reached = demoContacts.flatMap(({ email, phone }) => [email, phone]);
  expect(new Set(reached).size).toBe(2 * demoContacts.length);
  for (const { email, phone } of demoContacts) {
    expect(email).toMatch(/^[a-z.]+@example\.com$/);
    expect(phone).toMatch(/^\+120255501\d\d$/);
  }
});

it('the categories of the demo hold starter templates, each in one of them', () => {
  const slugs = demoCategories.flatMap(({ slugs: of }) => of);
  expect(new Set(slugs).size).toBe(slugs.length);
  for (const slug of slugs) expect(starterNamed(slug).slug).toBe(slug);
});
