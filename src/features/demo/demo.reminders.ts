import type { ReminderInput } from '#contract/reminders.ts';

/** The workspace of a property manager. Addresses end in example.com, which is reserved. */
export function demoReminders({
  firstAt,
  timezone,
  webhookUrl,
}: {
  firstAt: Temporal.Instant;
  timezone: string;
  webhookUrl: string | null;
}): ReminderInput[] {
  const first = firstAt
    .toZonedDateTimeISO(timezone)
    .toPlainDateTime()
    .round({ smallestUnit: 'second', roundingMode: 'ceil' });
  const today = first.toPlainDate();
  const at = (date: Temporal.PlainDate, time: string) => `${date.toString()}T${time}`;
  const nextMonth = today.with({ day: 1 }).add({ months: 1 });
  const nextMonday = today.add({ days: ((8 - today.dayOfWeek) % 7) + (today.dayOfWeek === 1 ? 7 : 0) });
  return [
    {
      name: 'Inspection today: 12 Elm Street',
      description: 'Tells the tenants of Elm Street and our maintenance board that the inspector is on the way',
      status: 'active',
      schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: first.toString(), timezone },
      content: {
        subject: 'Inspection at 12 Elm Street, {{current_date}}',
        message:
          'Hello {{recipient_name}},\n\nour inspector visits 12 Elm Street today. Please keep the boiler room and the balcony accessible.\n\nThank you,\n{{company_name}}',
        recipients: [
          'Maya Fischer <maya.fischer@example.com>',
          'Jonas Okafor <jonas.okafor@example.com>',
          ...(webhookUrl === null ? [] : [webhookUrl]),
        ],
      },
      metadata: { channels: webhookUrl === null ? ['email'] : ['email', 'webhook'], priority: 'high' },
    },
    {
      name: 'Rent is due on the 1st',
      description: 'Monthly rent reminder for all tenants of Elm Street',
      status: 'active',
      schedule_config: { type: 'scheduled', scheduleType: 'monthly', startDate: at(nextMonth, '09:00:00'), timezone },
      content: {
        subject: 'Rent for {{current_month}} is due',
        message:
          'Hello {{recipient_name}},\n\nyour rent of {{amount}} for {{current_month}} {{current_year}} is due today.\n\nKind regards,\n{{company_name}}',
        variables: ['recipient_name', 'amount', 'current_month', 'current_year', 'company_name'],
        recipients: [
          'Maya Fischer <maya.fischer@example.com>',
          'Jonas Okafor <jonas.okafor@example.com>',
          'Lucía Romero <lucia.romero@example.com>',
        ],
      },
      metadata: { channels: ['email'], priority: 'medium' },
    },
    {
      name: 'Weekly inspection round',
      description: 'Every Monday: which houses the caretaker visits',
      status: 'active',
      schedule_config: { type: 'scheduled', scheduleType: 'weekly', startDate: at(nextMonday, '07:30:00'), timezone },
      content: {
        subject: 'Inspection round, week of {{current_date}}',
        message:
          'Good morning {{recipient_name}},\n\nthis week: 12 Elm Street, 4 Harbour Lane, 27 Mill Road.\n\n{{company_name}}',
        recipients: ['Tomasz Zieliński <tomasz.zielinski@example.com>'],
      },
      metadata: { channels: ['email'], priority: 'medium' },
    },
    {
      name: 'Lease renewal: 4 Harbour Lane',
      description: 'Sixty days before the lease ends',
      status: 'paused',
      schedule_config: {
        type: 'scheduled',
        scheduleType: 'once',
        startDate: at(today.add({ days: 60 }), '10:00:00'),
        timezone,
      },
      content: {
        subject: 'Your lease at 4 Harbour Lane',
        message:
          'Hello {{recipient_name}},\n\nyour lease ends on {{due_date}}. Would you like to renew it? Just answer this mail.\n\n{{company_name}}',
        values: { due_date: today.add({ days: 120 }).toLocaleString('en-US', { dateStyle: 'long' }) },
        recipients: ['Amara Nwosu <amara.nwosu@example.com>'],
      },
      metadata: { channels: ['email'], priority: 'high' },
    },
  ];
}
