import { date, starter, text } from './starter-template.ts';

const unit = text('unit', 'The flat or house, such as 12 Elm Street, flat 3');
const amount = text('amount', 'The amount with its currency, such as $1,240');

export const propertyTemplates = [
  starter({
    slug: 'rent-due',
    name: 'Rent is due',
    scheduleType: 'monthly',
    description: 'A friendly note a few days before the rent is due',
    subject: 'Rent for {{unit}} is due on {{due_date}}',
    body: `Hello {{recipient_name}},

the rent of {{amount}} for {{unit}} is due on {{due_date}}. If you have paid it already, there is nothing left to do.

Should a payment be difficult this month, reply to this mail before the date, and we will look for a way together.

Kind regards,
{{company_name}}`,
    variables: [unit, amount, date('due_date', 'The day on which the rent is due')],
  }),
  starter({
    slug: 'rent-overdue',
    name: 'Rent has not arrived',
    description: 'Asks for a payment that is some days late, without an accusation',
    subject: 'Your rent for {{unit}} has not reached us',
    body: `Hello {{recipient_name}},

we have not received {{amount}} for {{unit}}, which was due on {{due_date}}. Perhaps it has been overlooked, or it is on its way.

Please pay it within seven days, or tell us when we can expect it.

Kind regards,
{{company_name}}`,
    variables: [unit, amount, date('due_date', 'The day on which the rent was due')],
  }),
  starter({
    slug: 'rent-due-sms',
    name: 'Rent is due (SMS)',
    scheduleType: 'monthly',
    description: 'The rent, its amount and its day in one text message',
    body: 'Hello {{recipient_name}}, your rent of {{amount}} is due on {{due_date}}. Already paid? Then all is well. {{company_name}}',
    variables: [amount, date('due_date', 'The day on which the rent is due')],
  }),
  starter({
    slug: 'inspection-notice',
    name: 'Inspection is planned',
    description: 'Announces an inspection with its day, its hours and what has to be accessible',
    subject: 'Inspection of {{unit}} on {{inspection_date}}',
    body: `Hello {{recipient_name}},

we will inspect {{unit}} on {{inspection_date}}, {{time_window}}. The inspection covers {{areas}}; please make sure that we can reach it.

You need not be there if somebody else can open the door. If the time does not suit you, reply with two other times.

Kind regards,
{{company_name}}`,
    variables: [
      unit,
      date('inspection_date', 'The day of the inspection'),
      text('time_window', 'The hours, such as between 9:00 and 11:00'),
      text('areas', 'What is inspected, such as the boiler and the smoke alarms'),
    ],
  }),
  starter({
    slug: 'inspection-sms',
    name: 'Inspection tomorrow (SMS)',
    description: 'A short message on the day before an inspection',
    body: 'Reminder: we inspect {{unit}} tomorrow, {{time_window}}. Please make sure that somebody can open the door. {{company_name}}',
    variables: [unit, text('time_window', 'The hours, such as 9:00 to 11:00')],
  }),
  starter({
    slug: 'lease-renewal',
    name: 'Lease is about to end',
    description: 'Asks tenants some weeks ahead whether they want to stay',
    subject: 'Your lease of {{unit}} ends on {{end_date}}',
    body: `Hello {{recipient_name}},

your lease of {{unit}} ends on {{end_date}}. We would be glad if you stayed.

The terms of a renewal are: {{terms}}. Please tell us by {{answer_date}} whether you want to renew it, or whether you have questions first.

Kind regards,
{{company_name}}`,
    variables: [
      unit,
      date('end_date', 'The last day of the lease'),
      text('terms', 'The offer, such as twelve months at $1,290'),
      date('answer_date', 'Until when you need an answer'),
    ],
  }),
  starter({
    slug: 'repair-visit',
    name: 'Somebody comes to repair',
    description: 'Says who comes, when, and what they will do',
    subject: 'Repair at {{unit}} on {{visit_date}}',
    body: `Hello {{recipient_name}},

{{company}} will come to {{unit}} on {{visit_date}}, {{time_window}}, to do the following: {{work}}.

Please clear the place where they have to work. If you cannot be there, tell us whom they may ask for the key.

Kind regards,
{{company_name}}`,
    variables: [
      unit,
      text('company', 'Who comes, such as Harbour Plumbing'),
      date('visit_date', 'The day of the visit'),
      text('time_window', 'The hours, such as between 13:00 and 15:00'),
      text('work', 'What is done, such as replacing the kitchen tap'),
    ],
  }),
  starter({
    slug: 'water-off-sms',
    name: 'Water is turned off (SMS)',
    description: 'Warns a house of an interruption, on the day before',
    body: 'The water at {{address}} is off tomorrow, {{time_window}}. Please store what you need. Sorry for the trouble. {{company_name}}',
    variables: [text('address', 'The house'), text('time_window', 'The hours, such as 8:00 to 12:00')],
  }),
];
