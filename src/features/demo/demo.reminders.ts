import { type ChannelType, destinationNames, isAddressed } from '#contract/channel-types.ts';
import type { ReminderInput } from '#contract/reminders.ts';
import type { ScheduleConfig } from '#contract/schedules.ts';
import type { TopicInput } from '#contract/topics.ts';
import { type DemoContact, demoContacts, taggedWith } from '#features/demo/demo.contacts.ts';

/** A reminder of the demo, with what its past runs are computed from. */
export type DemoReminder = {
  input: ReminderInput;
  writtenDaysAgo: number;
  /** The recipients of its past runs. */
  reached: readonly Reached[];
  /** How many events each working day brought, with the data of each; null for a scheduled reminder. */
  events: { perDay: number; data: readonly Record<string, string>[] } | null;
};

export type Reached = { channel: ChannelType; recipient: string; name: string | null; email: string | null };

/** What the reminders refer to: ids of the workspace's groups and templates, by name and slug. */
export type DemoParts = {
  firstAt: Temporal.Instant;
  timezone: string;
  webhookUrl: string | null;
  groups: ReadonlyMap<string, string>;
  templates: ReadonlyMap<string, string>;
  topics: Record<keyof typeof demoTopics, string>;
};

/** What the messages to tenants are about; those to the team are about nothing that somebody could leave. */
export const demoTopics = {
  notices: { name: 'Rent and repairs', kind: 'required', why: 'contract', is_default: false },
  news: { name: 'House news', kind: 'optional', why: null, is_default: false },
} as const satisfies Record<string, TopicInput>;
export const topicNames = ['notices', 'news'] as const satisfies readonly (keyof typeof demoTopics)[];

/** The reminders of a property manager, in the order of the list. */
export function demoReminders(parts: DemoParts): DemoReminder[] {
  const { firstAt, timezone, webhookUrl } = parts;
  const first = firstAt
    .toZonedDateTimeISO(timezone)
    .toPlainDateTime()
    .round({ smallestUnit: 'second', roundingMode: 'ceil' });
  const today = first.toPlainDate();
  const write = writerFor(parts);
  const at = (date: Temporal.PlainDate, time: string) => `${date.toString()}T${time}`;
  const began = today.subtract({ days: 75 });
  const mondayThen = began.add({ days: (8 - began.dayOfWeek) % 7 });
  const fridayThen = began.add({ days: (12 - began.dayOfWeek) % 7 });
  const once = (startDate: string): Schedule => ({ scheduleType: 'once', startDate });
  const cron = (customCron: string): Schedule => ({
    scheduleType: 'custom',
    customCron,
    startDate: at(began, '06:00:00'),
  });
  // At the first quarter of an hour at least an hour away, so that something is due soon whenever the demo is opened.
  const soon = first.add({ hours: 1 }).round({ smallestUnit: 'minute', roundingIncrement: 15, roundingMode: 'ceil' });
  const urls = webhookUrl === null ? [] : [webhookUrl];
  return [
    write({
      name: 'Inspection today: 12 Elm Street',
      description: 'Tells the tenants of Elm Street and our maintenance board that the inspector is on the way',
      schedule: once(first.toString()),
      subject: 'Inspection at 12 Elm Street, {{current_date}}',
      message:
        'Hello {{recipient_name}},\n\nour inspector visits 12 Elm Street today. Please keep the boiler room and the balcony accessible.\n\nThank you,\n{{company_name}}',
      channels: webhookUrl === null ? ['email'] : ['email', 'webhook'],
      people: demoContacts.slice(0, 2),
      urls,
      priority: 'high',
      writtenDaysAgo: 0,
    }),
    write({
      name: 'Viewing: 27 Mill Road',
      description: 'The candidate and our colleague of lettings',
      schedule: once(soon.toString()),
      subject: 'Viewing of 27 Mill Road today',
      message:
        'Hello {{recipient_name}},\n\nwe meet at 27 Mill Road today. The key is in the box beside the door.\n\n{{company_name}}',
      channels: ['email', 'sms'],
      people: [named('Amara Nwosu'), named('Samuel Osei')],
      writtenDaysAgo: 2,
    }),
    write({
      name: 'Rent is due on the 1st',
      description: 'Monthly rent reminder for all tenants, with the rent of each',
      schedule: { scheduleType: 'monthly', startDate: at(began.add({ months: 1 }).with({ day: 1 }), '09:00:00') },
      subject: 'Rent for {{current_month}} is due',
      message:
        'Hello {{recipient_name}},\n\nyour rent of {{amount}} for {{current_month}} {{current_year}} is due today.\n\nKind regards,\n{{company_name}}',
      channels: ['email'],
      group: 'All tenants',
      topic: 'notices',
      template: 'rent-due',
      priority: 'high',
      writtenDaysAgo: 62,
    }),
    write({
      name: 'Weekly inspection round',
      description: 'Every Monday: which houses the caretaker visits',
      schedule: { scheduleType: 'weekly', startDate: at(mondayThen, '07:30:00') },
      subject: 'Inspection round, week of {{current_date}}',
      message:
        'Good morning {{recipient_name}},\n\nthis week: 12 Elm Street, 4 Harbour Lane, 27 Mill Road.\n\n{{company_name}}',
      channels: ['email', 'whatsapp'],
      people: [named('Tomasz Zieliński')],
      writtenDaysAgo: 61,
    }),
    write({
      name: 'Bins go out tonight',
      description: 'Tuesdays and Thursdays at six, for Elm Street',
      schedule: cron('0 18 * * TUE,THU'),
      subject: 'Bins',
      message: 'Hello {{recipient_name}}, the bins are collected tomorrow morning. Please put them out tonight.',
      channels: ['sms'],
      group: 'Elm Street',
      writtenDaysAgo: 60,
    }),
    write({
      name: 'Notice of the week',
      description: 'Fridays: what changes in the houses',
      schedule: { scheduleType: 'weekly', startDate: at(fridayThen, '10:00:00') },
      subject: 'Your house next week',
      message:
        'Hello {{recipient_name}},\n\nnext week the stairs are cleaned on Tuesday, and the meters are read on Thursday. Nobody has to be at home for either.\n\n{{company_name}}',
      channels: ['email'],
      group: 'All tenants',
      topic: 'news',
      writtenDaysAgo: 60,
    }),
    write({
      name: 'Arrears to accounting',
      description: 'Every morning, to the accounting program and to Ruth',
      schedule: { scheduleType: 'daily', startDate: at(began, '08:00:00') },
      subject: 'Arrears of {{current_date}}',
      message: 'Open items of this morning are ready.\n\n{{company_name}}',
      channels: webhookUrl === null ? ['email'] : ['email', 'webhook'],
      people: [named('Ruth Adler')],
      urls,
      priority: 'low',
      writtenDaysAgo: 60,
    }),
    write({
      name: 'On-call handover',
      description: 'Weekdays at five, for the team and its Slack channel',
      schedule: cron('0 17 * * MON-FRI'),
      subject: 'On call tonight',
      message: 'The emergency number is handed over now. Open repairs are on the board.',
      channels: ['slack', 'email'],
      group: 'The team',
      template: 'on-call-handover',
      writtenDaysAgo: 60,
    }),
    write({
      name: 'Repair reported',
      description: 'The form on our website reports it: the caretaker hears of it at once',
      schedule: { eventTrigger: 'custom_webhook', delayAmount: 0, delayUnit: 'minutes' },
      subject: 'Repair: {{what}}, {{where}}',
      message: 'Hello {{recipient_name}},\n\n{{where}} reports: {{what}}.\n\n{{company_name}}',
      values: { what: 'see the form', where: 'a tenant' },
      channels: ['whatsapp', 'email'],
      people: [named('Tomasz Zieliński')],
      events: {
        perDay: 1.4,
        data: [
          { what: 'the heating stays cold', where: '12 Elm Street, 3b' },
          { what: 'a tap drips', where: '4 Harbour Lane, 2' },
          { what: 'the light in the stairs is out', where: '27 Mill Road' },
          { what: 'a window does not close', where: '4 Harbour Lane, 5' },
          { what: 'the front door sticks', where: '12 Elm Street' },
        ],
      },
      priority: 'high',
      writtenDaysAgo: 58,
    }),
    write({
      name: 'Direct debit returned',
      description: 'The bank returned a payment: accounting looks at it the same day',
      schedule: { eventTrigger: 'payment_failed', delayAmount: 1, delayUnit: 'hours' },
      subject: 'A payment of {{tenant}} was returned',
      message: 'Hello {{recipient_name}},\n\nthe bank returned the rent of {{tenant}}. Please call them today.',
      values: { tenant: 'a tenant' },
      channels: ['email'],
      people: [named('Ruth Adler')],
      template: 'payment-failed',
      events: { perDay: 0.4, data: taggedWith('tenant').map(({ name }) => ({ tenant: name })) },
      writtenDaysAgo: 55,
    }),
    write({
      name: 'Boiler certificate ends',
      description: 'Harbour Lane: book the inspector in time',
      schedule: once(at(today.add({ days: 1 }), '10:00:00')),
      subject: 'The boiler certificate of 4 Harbour Lane ends soon',
      message: 'Hello {{recipient_name}},\n\nplease book the inspector for the boiler of 4 Harbour Lane this week.',
      channels: ['email', 'whatsapp'],
      people: [named('Tomasz Zieliński'), named('Amara Nwosu')],
      template: 'certificate-expiry',
      writtenDaysAgo: 40,
    }),
    write({
      name: 'Water is off: 4 Harbour Lane',
      description: 'One text message to the house',
      schedule: once(at(today.subtract({ days: 12 }), '08:30:00')),
      subject: 'Water',
      message:
        'Hello {{recipient_name}}, the water in 4 Harbour Lane is off today from 10 to 12. Please keep taps closed.',
      channels: ['sms'],
      group: 'Harbour Lane',
      topic: 'notices',
      template: 'water-off-sms',
      writtenDaysAgo: 14,
    }),
    write({
      name: 'Lease renewal: 4 Harbour Lane',
      description: 'Sixty days before the lease ends',
      status: 'paused',
      schedule: once(at(today.add({ days: 60 }), '10:00:00')),
      subject: 'Your lease at 4 Harbour Lane',
      message:
        'Hello {{recipient_name}},\n\nyour lease ends on {{due_date}}. Would you like to renew it? Just answer this mail.\n\n{{company_name}}',
      values: { due_date: today.add({ days: 120 }).toLocaleString('en-US', { dateStyle: 'long' }) },
      channels: ['email'],
      people: [named('Daniel Katz')],
      template: 'lease-renewal',
      priority: 'high',
      writtenDaysAgo: 30,
    }),
    write({
      name: 'Heating check before winter',
      description: 'Not finished: which week suits the plumber?',
      status: 'draft',
      schedule: once(at(today.add({ days: 20 }), '09:00:00')),
      subject: 'We check your heating',
      message: 'Hello {{recipient_name}},\n\nthe plumber comes to {{unit}} in two weeks.\n\n{{company_name}}',
      channels: ['email', 'sms'],
      group: 'Elm Street',
      writtenDaysAgo: 6,
    }),
  ];
}

type Schedule = Omit<ScheduleConfig, 'type' | 'timezone'>;

type Written = {
  name: string;
  description: string;
  status?: 'paused' | 'draft';
  schedule: Schedule;
  subject: string;
  message: string;
  values?: Record<string, string>;
  channels: ChannelType[];
  people?: DemoContact[];
  urls?: string[];
  group?: string;
  topic?: keyof typeof demoTopics;
  template?: string;
  events?: NonNullable<DemoReminder['events']>;
  priority?: 'low' | 'high';
  writtenDaysAgo: number;
};

/** The demo's groups by name, each with the tag that its contacts have. */
export const groupTags = {
  'All tenants': 'tenant',
  'Elm Street': 'Elm Street',
  'Harbour Lane': 'Harbour Lane',
  'The team': 'team',
} as const;

const writerFor =
  ({ timezone, groups, templates, topics }: DemoParts) =>
  ({ people = [], urls = [], group, topic, template, ...written }: Written): DemoReminder => {
    const { name, description, status = 'active', schedule, subject, message, values, channels } = written;
    const type = schedule.eventTrigger === undefined ? 'scheduled' : 'event-based';
    const groupId = group === undefined ? undefined : groups.get(group);
    const templateId = template === undefined ? undefined : templates.get(template);
    const numbers = channels.includes('sms') || channels.includes('whatsapp') ? people : [];
    const mailboxes = channels.includes('email') ? people : [];
    return {
      input: {
        name,
        description,
        status,
        schedule_config: { type, ...schedule, timezone },
        content: {
          subject,
          message,
          format: 'markdown',
          ...(values !== undefined && { values }),
          ...(topic !== undefined && { topic_id: topics[topic] }),
          recipients: [
            ...mailboxes.map((one) => `${one.name} <${one.email}>`),
            ...numbers.map((one) => `${one.name} <${one.phone}>`),
            ...urls,
          ],
        },
        metadata: {
          channels,
          priority: written.priority ?? 'medium',
          ...(templateId !== undefined && { template_id: templateId }),
          ...(groupId !== undefined && { audience: { groups: [groupId] } }),
        },
      },
      writtenDaysAgo: written.writtenDaysAgo,
      reached: channels.flatMap((channel) => reachedOver(channel, { people: [...people, ...membersOf(group)], urls })),
      events: written.events ?? null,
    };
  };

function membersOf(group: string | undefined): DemoContact[] {
  const [, tag] = Object.entries(groupTags).find(([name]) => name === group) ?? [];
  return tag === undefined ? [] : taggedWith(tag);
}

function reachedOver(
  channel: ChannelType,
  { people, urls }: { people: readonly DemoContact[]; urls: readonly string[] },
): Reached[] {
  if (channel === 'webhook') return urls.map((url) => ({ channel, recipient: url, name: null, email: null }));
  if (!isAddressed(channel)) return [{ channel, recipient: channel, name: destinationNames[channel], email: null }];
  return people.flatMap(({ name, email, phone }) => {
    const recipient = channel === 'email' ? email : phone;
    return recipient === null ? [] : [{ channel, recipient, name, email }];
  });
}

function named(name: string): DemoContact {
  const found = demoContacts.find((contact) => contact.name === name);
  if (found === undefined) throw new Error(`the demo has no ${name}`);
  return found;
}
