import { expect, it } from 'vitest';
import { render } from '#domain/template.ts';
import { newDraft } from '#web/features/reminders/form/draft.ts';
import { type Beginning, isWritten, withTemplate } from './with-template.ts';

const id = '0197c000-0000-7000-8000-000000000001';
const draft = newDraft({ now: new Date('2026-11-20T10:00:00Z'), zone: 'UTC' });
const variable = { type: 'text', description: '', required: true, defaultValue: '' } as const;
const rent: Beginning = {
  id,
  name: 'Rent is due',
  content: {
    subject: 'Rent for {{unit}}',
    body: 'Please pay {{amount}}. {{note}} {{ due_date | upcase }}',
    type: 'sms',
  },
  variables: {
    variables: [
      { ...variable, name: 'unit' },
      { ...variable, name: 'amount', defaultValue: '900' },
      { ...variable, name: 'note', required: false },
    ],
  },
};

const begin = (onto: typeof draft, template: Beginning) => withTemplate(onto, template, { isScheduleChosen: false });

it('a template provides the text, its variables with their defaults, its channel, and a missing title', () => {
  const begun = begin(draft, rent);
  expect(begun).toMatchObject({
    name: 'Rent is due',
    content: {
      subject: 'Rent for {{unit}}',
      variables: ['unit', 'amount', 'note', 'due_date'],
      values: { amount: '900' },
    },
    metadata: { channels: ['sms'], template_id: id },
  });
});

it('an optional variable leaves a blank, as in the template, and does not block the message', () => {
  const { message } = begin(draft, rent).content;
  expect(render(message, { amount: '900', due_date: 'may' })).toEqual({
    kind: 'rendered',
    text: 'Please pay 900.  MAY',
  });
});

it('title, values, channels and recipients stay unchanged', () => {
  const written = {
    ...draft,
    name: 'Mine',
    content: { ...draft.content, recipients: ['ann@example.com'], variables: ['unit'], values: { amount: '950' } },
  };
  expect(begin(written, { ...rent, id: null })).toMatchObject({
    name: 'Mine',
    content: { recipients: ['ann@example.com'], values: { amount: '950' } },
    metadata: { channels: ['email'] },
  });
  expect(begin(begin(draft, rent), { ...rent, id: null }).metadata.template_id).toBeUndefined();
});

it('only an existing subject or message would be overwritten', () => {
  expect(isWritten({ ...draft, name: 'Mine' })).toBe(false);
  expect(isWritten({ ...draft, content: { ...draft.content, message: 'Hello' } })).toBe(true);
});

it('a starter says how often its message is sent, until somebody has chosen that', () => {
  const monthly: Beginning = { ...rent, id: null, scheduleType: 'monthly' };
  expect(begin(draft, monthly).schedule_config).toEqual({ ...draft.schedule_config, scheduleType: 'monthly' });
  expect(begin(draft, rent).schedule_config).toEqual(draft.schedule_config);
  expect(withTemplate(draft, monthly, { isScheduleChosen: true }).schedule_config).toEqual(draft.schedule_config);
});

it('the topic is the one that the template proposes, where it can be chosen in this workspace', () => {
  const topic = crypto.randomUUID();
  const written = { ...draft, content: { ...draft.content, topic_id: null } };
  expect(withTemplate(written, rent, { isScheduleChosen: false, topic }).content.topic_id).toBe(topic);
  expect(withTemplate(written, rent, { isScheduleChosen: false }).content.topic_id).toBeNull();
  expect(withTemplate(written, { ...rent, id: null }, { isScheduleChosen: false, topic }).content.topic_id).toBeNull();
});
