import { describe, expect, it } from 'vitest';
import { understand } from '#domain/phrase.ts';
import { inputOf, newDraft, type ReminderDraft } from '#web/features/reminders/form/draft.ts';
import { type Fill, filledIn, takenBack } from './fill.ts';
import { remarksOf, rowsOf, spokenRefusal, spokenSummary } from './summary.ts';

const now = Temporal.Instant.from('2026-11-20T12:05:14Z');
const zone = 'Europe/London';
const fresh = newDraft({ now: new Date(now.epochMilliseconds), zone });
const people = [
  { name: 'Ann Lee', email: 'ann@example.com', phone: '+491711234567' },
  { name: 'Ben', email: null, phone: '+491719999999' },
  { name: 'me', email: 'nora@example.com', phone: null },
];
const read = (line: string) => understand(line, { now, timezone: zone, people });
const fill = (draft: ReminderDraft, line: string, last: Fill | null = null) =>
  filledIn(draft, { understood: read(line), last });

const rent = 'email ann@example.com every 1st at 9am Berlin time that rent is due';

describe('a draft filled in from a line', () => {
  it('gets its schedule, channels, recipients, subject, message and a title', () => {
    expect(inputOf(fill(fresh, rent).draft)).toMatchObject({
      name: 'Rent is due',
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'monthly',
        startDate: '2026-12-01T09:00:00',
        timezone: 'Europe/Berlin',
      },
      content: { subject: 'Rent is due', message: 'Rent is due.', recipients: ['ann@example.com'] },
      metadata: { channels: ['email'] },
    });
  });

  it('gets a title without variables, which the subject keeps', () => {
    const { name, content } = fill(
      fresh,
      'email ann@example.com every 1st at 9am that your rent of {{Miete}} is due',
    ).draft;
    expect([name, content.subject]).toEqual(['Your rent is due', 'Your rent of {{Miete}} is due']);
  });

  it('keeps its title, its other recipients and everything that the line does not mention', () => {
    const written = {
      ...fresh,
      name: 'Mine',
      content: { ...fresh.content, subject: 'Hi', recipients: ['cy@example.com'] },
    };
    const { draft } = fill(written, 'email ann@example.com every day at 8:30');
    expect(draft).toMatchObject({
      name: 'Mine',
      content: { subject: 'Hi', recipients: ['cy@example.com', 'ann@example.com'] },
    });
  });

  it('gets an event instead of a schedule, and no start date for a cron expression without one', () => {
    const event = fill(fresh, 'text Ben 2 hours after sign-up').draft.schedule_config;
    expect(event).toMatchObject({
      type: 'event-based',
      eventTrigger: 'user_signup',
      delayAmount: 2,
      delayUnit: 'hours',
    });
    const cron = fill(fresh, 'every weekday at 8:30 email Ann').draft.schedule_config;
    expect(cron).toMatchObject({ scheduleType: 'custom', customCron: '30 8 * * MON-FRI', startDate: null });
  });

  it('gets channels that are tried in order, and loses the order again', () => {
    const line = 'email ann@example.com, then by SMS, every day at 8:30';
    const { draft, fill: last } = fill(fresh, line);
    expect(inputOf(draft).metadata).toMatchObject({ channels: ['email', 'sms'], channel_mode: 'in_order' });
    expect(rowsOf(read(line)).map(({ label, text }) => `${label} ${text}`)).toContain('Channels Email, then SMS');
    expect(takenBack(draft, last)).toEqual(fresh);
    expect(
      inputOf(fill(draft, 'email ann@example.com every day at 9', last).draft).metadata.channel_mode,
    ).toBeUndefined();
    // One that somebody has chosen stays.
    const chosen = { ...fresh, metadata: { ...fresh.metadata, channel_mode: 'in_order' as const } };
    expect(fill(chosen, 'email and text Ann every day at 8:30').draft.metadata.channel_mode).toBe('in_order');
  });

  it('gets contacts by the address that its channels use', () => {
    const recipientsOf = (line: string) => fill(fresh, line).draft.content.recipients;
    expect(recipientsOf('email and text Ann Lee tomorrow at 9am')).toEqual(['ann@example.com', '+491711234567']);
    expect(recipientsOf('remind me and Ben tomorrow at 9am')).toEqual(['nora@example.com', '+491719999999']);
  });
});

describe('a line to a group', () => {
  const groups = { groups: [{ id: 'elm', name: 'Tenants of 12 Elm' }], tags: ['vip'] };
  const line = 'email all tenants of 12 Elm and everybody tagged VIP every 1st at 9am that rent is due';
  const understood = understand(line, { now, timezone: zone, people, groups });
  const written = { ...fresh, metadata: { ...fresh.metadata, audience: { tags: ['Vip'], contacts: ['a'] } } };

  it('fills in its people beside those that were chosen, and names them', () => {
    expect(filledIn(written, { understood, last: null }).draft.metadata.audience).toEqual({
      tags: ['Vip'],
      contacts: ['a'],
      groups: ['elm'],
    });
    expect(rowsOf(understood).find(({ label }) => label === 'To')?.text).toBe('Tenants of 12 Elm (group), vip (tag)');
    expect(remarksOf({ understood, areContactsKnown: true })).toEqual([]);
  });

  it('is undone', () => {
    for (const before of [fresh, written]) {
      const { draft, fill: done } = filledIn(before, { understood, last: null });
      expect(takenBack(draft, done)).toStrictEqual(before);
    }
  });
});

describe('undoing a line', () => {
  it('restores the draft', () => {
    const { draft, fill: done } = fill(fresh, rent);
    expect(takenBack(draft, done)).toEqual(fresh);
  });

  it('keeps later changes', () => {
    const { draft, fill: done } = fill(fresh, rent);
    const changed = {
      ...draft,
      content: { ...draft.content, message: 'Mine', recipients: [...draft.content.recipients, 'cy@example.com'] },
    };
    expect(takenBack(changed, done)).toEqual({
      ...fresh,
      content: { ...fresh.content, message: 'Mine', recipients: ['cy@example.com'] },
    });
  });

  it('is not possible after the next line is filled in', () => {
    const { draft, fill: done } = fill(fresh, rent);
    const next = fill(draft, 'email cy@example.com every Monday at 9am about tax', done).draft;
    expect(next).toEqual(fill(fresh, 'email cy@example.com every Monday at 9am about tax').draft);
  });
});

describe('the summary of a line', () => {
  it('names what was understood, the contacts found, and what to check', () => {
    const understood = read('email Ann, Zoe and the tenants of Elm St every Monday at 9 about rent');
    const rows = rowsOf(understood);
    const remarks = remarksOf({ understood, areContactsKnown: true });
    expect(rows.map(({ label, text, tab }) => [label, text, tab])).toEqual([
      ['When', 'Every Monday at 09:00 (Europe/London)', 'schedule'],
      ['Channels', 'Email', 'channels'],
      ['To', 'Ann Lee (1 contact)', 'channels'],
      ['Message', 'This is a reminder about rent.', 'content'],
    ]);
    expect(remarks).toEqual([
      { kind: 'unknown', text: 'No contact, group or tag is called “Zoe”: add the recipients under Channels' },
      {
        kind: 'unknown',
        text: 'No contact, group or tag is called “the tenants of Elm St”: add the recipients under Channels',
      },
      { kind: 'note', text: '“9” is read as 09:00; write 9 pm for the other half of the day' },
    ]);
    expect(spokenSummary(rows, remarks)).toMatch(/^Filled in\. When: Every Monday .* “9” is read as 09:00; /);
  });

  it('names no time where a word is not understood', () => {
    const understood = read('email Ann every Monday at 9am purple about rent');
    expect(understood.isWhole).toBe(false);
    expect(rowsOf(understood).map(({ label }) => label)).toEqual(['Channels', 'To', 'Message']);
    expect(spokenRefusal(remarksOf({ understood, areContactsKnown: true }))).toBe(
      'Nothing was filled in. Not understood: “purple”.',
    );
  });

  it('names three recipients, and how many more there are', () => {
    const understood = read('email a@example.com, b@example.com, c@example.com and d@example.com tomorrow at 9am');
    expect(rowsOf(understood).find(({ label }) => label === 'To')?.text).toBe(
      'a@example.com, b@example.com, c@example.com and 1 more',
    );
  });

  it('says when the contacts could not be searched', () => {
    const understood = read('email Zoe tomorrow at 9am');
    expect(remarksOf({ understood, areContactsKnown: false })).toEqual([
      { kind: 'unknown', text: 'The contacts could not be searched for “Zoe”: add the recipients under Channels' },
    ]);
  });
});
