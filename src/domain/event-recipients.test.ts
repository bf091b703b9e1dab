import { describe, expect, it } from 'vitest';
import { addressedByEvent, isForNobody, recipientsIn } from './event-recipients.ts';

describe('the recipients that an event names', () => {
  it.each([
    [{ email: 'erin@example.com' }, ['erin@example.com']],
    [{ Email: ' erin@example.com ', recipient_phone: '+49 30 123456' }, ['erin@example.com', '+49 30 123456']],
    [{ 'customer.email': 'erin@example.com', 'customer.name': 'Erin Fox' }, ['Erin Fox <erin@example.com>']],
    [{ 'user.Phone Number': '+49 30 123456' }, ['+49 30 123456']],
    [{ recipient: 'Erin Fox <erin@example.com>', name: 'Shop' }, ['Erin Fox <erin@example.com>']],
    [{ email: 'erin@example.com', name: 'A "B" <x>\n' }, ['A  B   x <erin@example.com>']],
  ])('in %j are %j', (data, recipients) => {
    expect(recipientsIn(data)).toEqual(recipients);
  });

  it('are those of one place of the data only, the most specific', () => {
    const data = { 'customer.email': 'c@example.com', email: 'e@example.com', 'contact.email': 'k@example.com' };
    expect(recipientsIn(data)).toEqual(['k@example.com']);
    expect(recipientsIn({ ...data, 'recipient.phone': '+49 30 123456' })).toEqual(['+49 30 123456']);
  });

  it.each([
    [{}],
    [{ email: 'not an address' }],
    [{ email: 'https://attacker.example/' }],
    [{ recipient: 'https://attacker.example/' }],
    [{ 'sales_rep.email': 'rep@example.com' }],
    [{ 'order.customer.email': 'erin@example.com' }],
    [{ email: `${'x'.repeat(500)}@example.com` }],
    [{ reply_to: 'erin@example.com' }],
  ])('are none in %j', (data) => {
    expect(recipientsIn(data)).toEqual([]);
  });
});

describe('an event’s job', () => {
  const content = { recipients: ['ops@example.com'] };
  const metadata = { channels: ['email' as const], priority: 'medium' as const };
  const data = { email: 'erin@example.com' };

  it('goes to the reminder’s own recipients, unless the event brings others', () => {
    const audience = { tags: ['vip'] };
    const reminder = { content, metadata: { ...metadata, audience } };
    expect(addressedByEvent(reminder, { data })).toEqual({ recipients: ['ops@example.com'], named: [], audience });
    expect(addressedByEvent(reminder, { data, recipients: ['a@example.com'] })).toEqual({
      recipients: ['a@example.com'],
      named: [],
      audience: null,
    });
  });

  it('of a reminder for whom the event names goes to them and to its own recipients', () => {
    const audience = { everyone: true };
    const reminder = { content, metadata: { ...metadata, audience, event_recipients: true } };
    expect(addressedByEvent(reminder, { data })).toEqual({
      recipients: ['erin@example.com', 'ops@example.com'],
      named: ['erin@example.com'],
      audience,
    });
    expect(addressedByEvent(reminder, { data, recipients: ['a@example.com'] })).toEqual({
      recipients: ['a@example.com', 'ops@example.com'],
      named: [],
      audience,
    });
  });

  it('is for nobody when the event names nobody and the reminder lists nobody, unless a channel needs no recipient', () => {
    const addressed = addressedByEvent(
      { content: { recipients: [] }, metadata: { ...metadata, event_recipients: true } },
      { data: {} },
    );
    expect(isForNobody(addressed, { channels: ['email', 'webhook'] })).toBe(true);
    expect(isForNobody(addressed, { channels: ['email', 'slack'] })).toBe(false);
  });
});
