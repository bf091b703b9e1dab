import { describe, expect, it } from 'vitest';
import { newDraft } from './draft.ts';
import { withEntries, withRecipient, withRecipients, withVariable } from './entries.ts';

describe('recipients', () => {
  it('are trimmed when added, and blank input is ignored', () => {
    expect(withRecipient(['ann@example.com'], '  bob@example.com ')).toEqual(['ann@example.com', 'bob@example.com']);
    expect(withRecipient(['ann@example.com'], '   ')).toEqual(['ann@example.com']);
  });

  it('pasted as lines are added without blanks and duplicates', () => {
    expect(withRecipients(['ann@example.com'], 'bob@example.com\r\n\n ann@example.com \nbob@example.com')).toEqual([
      'ann@example.com',
      'bob@example.com',
    ]);
  });
});

describe('variables', () => {
  it('are trimmed and not checked for duplicates', () => {
    expect(withVariable(['unit'], ' unit ')).toEqual(['unit', 'unit']);
    expect(withVariable(['unit'], ' ')).toEqual(['unit']);
  });
});

it('typed text that was not added is saved as well', () => {
  const draft = newDraft({ now: new Date('2026-11-20T10:00:00Z'), zone: 'UTC' });
  const recipients = 'bob@example.com\nann@example.com';
  const entries = { recipient: 'ann@example.com', recipients, variable: 'unit', phrase: '' };
  const complete = withEntries({ ...draft, entries });
  expect(complete.content).toMatchObject({ recipients: ['ann@example.com', 'bob@example.com'], variables: ['unit'] });
  expect(Object.values(complete.entries).join('')).toBe('');
});

it('text that is not a valid recipient stays in the field', () => {
  const draft = newDraft({ now: new Date('2026-11-20T10:00:00Z'), zone: 'UTC' });
  const entries = { recipient: '', recipients: 'bob@example.com, nobody', variable: '', phrase: 'email bob' };
  const { content, entries: left } = withEntries({ ...draft, entries });
  expect(content.recipients).toEqual(['bob@example.com']);
  expect(left).toEqual({ recipient: '', recipients: 'nobody', variable: '', phrase: 'email bob' });
});

it('SMS and WhatsApp keep the title as their subject while none is written', () => {
  const draft = newDraft({ now: new Date('2026-11-20T10:00:00Z'), zone: 'UTC' });
  const subjectOf = (channels: (typeof draft)['metadata']['channels'], subject = '') =>
    withEntries({
      ...draft,
      name: ' Rent ',
      content: { ...draft.content, subject },
      metadata: { ...draft.metadata, channels },
    }).content.subject;
  expect(subjectOf(['sms', 'whatsapp'])).toBe('Rent');
  expect(subjectOf(['sms'], 'Own')).toBe('Own');
  expect(subjectOf(['sms', 'email'])).toBe('');
  expect(subjectOf([])).toBe('');
});
