import { date, starter, text } from './starter-template.ts';

const product = text('product', 'The name of your product');

export const customerSuccessTemplates = [
  starter({
    slug: 'trial-ending',
    name: 'Trial is about to end',
    description: 'Some days before the end: what happens then, and how to stay',
    subject: 'Your trial of {{product}} ends on {{end_date}}',
    body: `Hello {{recipient_name}},

your trial of {{product}} ends on {{end_date}}. What you have set up stays, and is waiting for you.

To go on without an interruption, choose a plan: {{plans_link}}
If something is missing that would make it useful for you, reply to this mail. We read every answer.

Kind regards,
{{company_name}}`,
    variables: [
      product,
      date('end_date', 'The last day of the trial'),
      text('plans_link', 'The address of your plans'),
    ],
  }),
  starter({
    slug: 'renewal-ahead',
    name: 'Subscription renews soon',
    description: 'Tells customers of a renewal and its price ahead of time',
    subject: '{{product}} renews on {{renewal_date}}',
    body: `Hello {{recipient_name}},

your subscription of {{product}} renews on {{renewal_date}} for {{price}}.

There is nothing to do if you want to keep it. You can change or cancel it until the day before: {{account_link}}

Thank you for your trust,
{{company_name}}`,
    variables: [
      product,
      date('renewal_date', 'The day of the renewal'),
      text('price', 'The price with its currency, such as $228 a year'),
      text('account_link', 'The address of the account'),
    ],
  }),
  starter({
    slug: 'payment-failed',
    name: 'Payment has failed',
    description: 'Asks for another way to pay, and says until when everything goes on',
    subject: 'We could not collect your payment for {{product}}',
    body: `Hello {{recipient_name}},

the payment of {{amount}} for {{product}} has failed. This is often a card that has expired.

Please update it here: {{billing_link}}
Everything goes on as usual until {{grace_date}}.

Kind regards,
{{company_name}}`,
    variables: [
      product,
      text('amount', 'The amount with its currency, such as $19'),
      text('billing_link', 'The address where the card is changed'),
      date('grace_date', 'Until when the service goes on'),
    ],
  }),
  starter({
    slug: 'appointment',
    name: 'Appointment is confirmed',
    description: 'Day, time, place and how to move it',
    subject: 'Your appointment on {{appointment_date}} at {{appointment_time}}',
    body: `Hello {{recipient_name}},

we look forward to seeing you on {{appointment_date}} at {{appointment_time}}.

Where: {{place}}
With: {{host}}

If you cannot come, tell us a day before, so that somebody else can have the time: {{change_link}}

{{company_name}}`,
    variables: [
      date('appointment_date', 'The day'),
      text('appointment_time', 'The time, such as 14:30'),
      text('place', 'The address, or the link of the call'),
      text('host', 'Whom they meet'),
      text('change_link', 'The address where it can be moved'),
    ],
  }),
  starter({
    slug: 'appointment-sms',
    name: 'Appointment tomorrow (SMS)',
    description: 'A text message on the day before an appointment',
    body: 'Reminder: your appointment is tomorrow at {{appointment_time}}, {{place}}. To move it call {{phone}}. {{company_name}}',
    variables: [
      text('appointment_time', 'The time, such as 14:30'),
      text('place', 'Where, in a few words'),
      text('phone', 'The number to call'),
    ],
  }),
  starter({
    slug: 'onboarding-call',
    name: 'First call with a new customer',
    description: 'Prepares a new customer for the first conversation',
    subject: 'Our call about {{product}} on {{call_date}}',
    body: `Hello {{recipient_name}},

on {{call_date}} at {{call_time}} we set up {{product}} together. It takes half an hour.

It helps to have ready:
- what you want to have achieved in a month
- who else will work with it
- an example of how you do it today

Join here: {{call_link}}

Until then,
{{company_name}}`,
    variables: [
      product,
      date('call_date', 'The day of the call'),
      text('call_time', 'The time with the zone'),
      text('call_link', 'The address of the call'),
    ],
  }),
  starter({
    slug: 'check-in',
    name: 'How is it going?',
    description: 'A personal question some weeks after the start',
    subject: 'How is {{product}} working for you?',
    body: `Hello {{recipient_name}},

you have used {{product}} for {{period}} now. What goes well, and what is in your way?

One sentence is enough: reply to this mail, and it reaches me directly.

{{sender}}
{{company_name}}`,
    variables: [product, text('period', 'How long, such as four weeks'), text('sender', 'Who asks')],
  }),
  starter({
    slug: 'survey-sms',
    name: 'One question after a visit (SMS)',
    description: 'Asks for an opinion while it is fresh',
    body: 'Thank you for your visit, {{recipient_name}}. How was it? One question, ten seconds: {{survey_link}} {{company_name}}',
    variables: [text('survey_link', 'The address of the survey, as short as possible')],
  }),
];
