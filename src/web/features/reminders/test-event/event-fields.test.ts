import { expect, it } from 'vitest';
import type { Reminder } from '#contract/reminders.ts';
import { eventFields, mostFields } from './event-fields.ts';
import { dataOf } from './use-event-data.ts';

const reminder = (changes: { content?: object; metadata?: object }): Reminder => ({
  id: '01a1f83c-4af4-7738-9908-5b4a4a608f88',
  workspace_id: '01a1f83c-4af4-7738-9908-5b4a4a608f88',
  name: 'Trial ends',
  description: null,
  status: 'active',
  paused_until: null,
  schedule_config: { type: 'event-based', eventTrigger: 'trial_ending', timezone: 'UTC' },
  content: {
    subject: '{{plan}} ends',
    message: 'Dear {{recipient_name}}: {{ trial_ends }}',
    recipients: [],
    ...changes.content,
  },
  metadata: { channels: ['email'], priority: 'medium', event_recipients: true, ...changes.metadata },
  created_by: null,
  created_at: '2026-11-20T09:00:00Z',
  updated_at: '2026-11-20T09:00:00Z',
  is_done: false,
  next_run_at: null,
  warnings: [],
});
const now = new Date(2026, 10, 20);

it('asks for whom the event names and for each variable of the text, with samples that fit', () => {
  expect(eventFields(reminder({}), { now })).toEqual({
    values: { email: 'john@example.com', plan: 'Premium', trial_ends: 'November 20, 2026' },
    lists: [],
    left: 0,
  });
});

it('asks for the address that the channels need, and for none where the event names nobody', () => {
  const fieldsOf = (metadata: object) => Object.keys(eventFields(reminder({ metadata }), { now }).values);
  expect(fieldsOf({ channels: ['sms', 'email'] })).toEqual(['email', 'phone', 'plan', 'trial_ends']);
  expect(fieldsOf({ channels: ['webhook'] })).toEqual(['email', 'plan', 'trial_ends']);
  expect(fieldsOf({ event_recipients: undefined })).toEqual(['plan', 'trial_ends']);
});

it('has the values of the last event, in whatever spelling, and is blank where that had none', () => {
  const last = { Email: 'dana@example.com', 'trial ends': '1 Dec', seats: '4' };
  expect(eventFields(reminder({}), { now, last }).values).toEqual({
    email: 'dana@example.com',
    plan: '',
    trial_ends: '1 Dec',
  });
  expect(Object.keys(eventFields(reminder({}), { now, last, isNaming: false }).values)).toEqual(['plan', 'trial_ends']);
});

it('does not ask for what the reminder has a value for, in any spelling', () => {
  const content = { values: { Plan: 'Basic', trial_ends: ' ' } };
  expect(Object.keys(eventFields(reminder({ content }), { now }).values)).toEqual(['email', 'trial_ends']);
});

it('asks for nested values under their paths, and for those of the first of a list', () => {
  const message =
    '{{ invoice.number }} {{invoice.number | upcase}} {{ items[0].price }} {% for one in items %}{{ one.price }}{{ forloop.index }}{% endfor %}{% for tag in tags %}{{tag}}{% endfor %}';
  const { values, lists } = eventFields(reminder({ content: { subject: 'x', message } }), { now });
  expect(Object.keys(values)).toEqual(['email', 'tags', 'invoice.number', 'items.0.price']);
  expect(lists).toEqual(['tags']);
});

it('brings a list that is typed as one text, and the others as they were', () => {
  const last = { tags: 'a, b', 'tags.0': 'a', 'tags.1': 'b', 'items.0.name': 'disk', 'items.1.name': 'cpu' };
  const lists = ['tags'];
  expect(dataOf({ last, values: { tags: 'a, b', 'items.0.name': 'net' }, lists })).toEqual({
    ...last,
    'items.0.name': 'net',
  });
  const { 'tags.1': _, ...others } = last;
  expect(dataOf({ last, values: { tags: 'c,' }, lists })).toEqual({ ...others, tags: 'c,', 'tags.0': 'c' });
});

it('shows at most fifty fields, and says how many are left', () => {
  const message = Array.from({ length: 60 }, (_, at) => `{{v${at}}}`).join('');
  const { values, left } = eventFields(reminder({ content: { subject: 'x', message } }), { now });
  expect([Object.keys(values).length, left]).toEqual([mostFields, 11]);
});
