import { date, starter, text } from './starter-template.ts';

const service = text('service', 'What is affected, such as the customer portal');

export const operationsTemplates = [
  starter({
    slug: 'maintenance-window',
    name: 'Maintenance window',
    description: 'Announces planned work with its hours, its effect and whom to ask',
    subject: 'Planned maintenance: {{service}}, {{start_time}}',
    body: `Hello {{recipient_name}},

we will work on {{service}} from {{start_time}} to {{end_time}}.

What you will notice: {{effect}}
What you have to do: nothing. We write again when the work is done.

Questions go to {{contact}}.

{{company_name}}`,
    variables: [
      service,
      text('start_time', 'When it begins, with the zone'),
      text('end_time', 'When it ends at the latest'),
      text('effect', 'What does not work meanwhile'),
      text('contact', 'Whom to ask'),
    ],
  }),
  starter({
    slug: 'maintenance-soon-sms',
    name: 'Maintenance begins soon (SMS)',
    description: 'A last warning shortly before planned work',
    body: '{{service}} goes down at {{start_time}} for maintenance and is back by {{end_time}}. Please save your work. {{company_name}}',
    variables: [
      service,
      text('start_time', 'When it begins, such as 22:00'),
      text('end_time', 'When it is back, such as 23:30'),
    ],
  }),
  starter({
    slug: 'on-call-handover',
    name: 'On-call handover',
    scheduleType: 'weekly',
    description: 'Reminds whoever is next of the shift, and of what to hand over',
    subject: 'You are on call for {{team}} from {{start_time}}',
    body: `Hello {{recipient_name}},

your on-call shift for {{team}} begins at {{start_time}} and ends at {{end_time}}. You take over from {{previous}}.

Before it begins:
- Check that alerts reach your phone.
- Read the open incidents: {{incidents_link}}
- Ask {{previous}} what is still in motion.

{{company_name}}`,
    variables: [
      text('team', 'The team, such as Platform'),
      text('start_time', 'When the shift begins'),
      text('end_time', 'When it ends'),
      text('previous', 'Who is on call before'),
      text('incidents_link', 'The address of the open incidents'),
    ],
  }),
  starter({
    slug: 'on-call-sms',
    name: 'On-call shift begins (SMS)',
    scheduleType: 'weekly',
    description: 'A text message at the start of a shift',
    body: 'You are on call for {{team}} now, until {{end_time}}. Backup: {{backup}}. {{company_name}}',
    variables: [
      text('team', 'The team, such as Platform'),
      text('end_time', 'When the shift ends'),
      text('backup', 'Who helps when you cannot'),
    ],
  }),
  starter({
    slug: 'certificate-expiry',
    name: 'Certificate is about to expire',
    description: 'Names the certificate, its last day and how to renew it',
    subject: 'The certificate of {{domain}} expires on {{expiry_date}}',
    body: `Hello {{recipient_name}},

the certificate of {{domain}} expires on {{expiry_date}}. After that browsers and programs refuse to connect.

How to renew it: {{runbook_link}}
Please answer this mail when it is renewed.

{{company_name}}`,
    variables: [
      text('domain', 'The name in the certificate, such as shop.example.com'),
      date('expiry_date', 'The last day on which it is valid'),
      text('runbook_link', 'The address of the instructions'),
    ],
  }),
  starter({
    slug: 'restore-drill',
    name: 'Try a restore',
    scheduleType: 'monthly',
    description: 'Asks for a restore from a backup, because a backup that was never restored is a hope',
    subject: 'Restore of {{system}}: due by {{due_date}}',
    body: `Hello {{recipient_name}},

please restore the latest backup of {{system}} into a scratch environment by {{due_date}}, and write down:

- how old the newest data in it is
- how long the restore took
- what was missing or surprising

Instructions: {{runbook_link}}

{{company_name}}`,
    variables: [
      text('system', 'What is restored, such as the orders database'),
      date('due_date', 'Until when'),
      text('runbook_link', 'The address of the instructions'),
    ],
  }),
  starter({
    slug: 'training-due',
    name: 'Training is due',
    description: 'Reminds people of a mandatory training before its last day',
    subject: '{{training}}: please finish it by {{due_date}}',
    body: `Hello {{recipient_name}},

your training “{{training}}” has to be finished by {{due_date}}. It takes about {{duration}}, and you can stop and go on later.

Begin here: {{training_link}}

Thank you,
{{company_name}}`,
    variables: [
      text('training', 'The training, such as Fire safety'),
      date('due_date', 'The last day'),
      text('duration', 'How long it takes, such as 30 minutes'),
      text('training_link', 'The address of the training'),
    ],
  }),
  starter({
    slug: 'shift-sms',
    name: 'Shift tomorrow (SMS)',
    description: 'Tells staff on the day before when and where they work',
    body: 'Hello {{recipient_name}}, you work tomorrow, {{shift_hours}}, at {{place}}. Cannot come? Call {{phone}} today. {{company_name}}',
    variables: [
      text('shift_hours', 'The hours, such as 6:00 to 14:00'),
      text('place', 'Where, such as Dock 4'),
      text('phone', 'The number to call'),
    ],
  }),
];
