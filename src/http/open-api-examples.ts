import type { RouteName } from '#contract/routes.ts';

const id = '01a208b0-29d5-791c-aabb-ef1e4d4aa4f0';

const reminder = {
  name: 'Rent is due',
  schedule_config: {
    type: 'scheduled',
    scheduleType: 'monthly',
    startDate: '2027-01-01T09:00:00',
    timezone: 'Europe/Berlin',
  },
  content: {
    subject: 'Rent of {{current_month}}',
    message: 'Dear {{recipient_name}}, {{amount}} is due.',
    values: { amount: '950 €' },
    recipients: ['Dana Owens <dana@example.com>'],
  },
  metadata: { channels: ['email'] },
};

const calendar = {
  url: 'https://calendar.example.com/office.ics',
  timezone: 'Europe/Berlin',
  offsets: [{ amount: 1, unit: 'days' }],
  all_day_time: '09:00',
};

/** Examples of bodies, where the one made from the shape is not valid or says too little. */
export const bodyExamples: Partial<Record<RouteName, unknown>> = {
  reauthenticate: { password: 'correct horse battery' },
  updateInstallationSettings: { apiRateLimit: true },
  createWorkspace: { name: 'Elm Street' },
  createReminder: reminder,
  updateReminder: reminder,
  forecastReminder: {
    schedule_config: {
      type: 'scheduled',
      scheduleType: 'monthly',
      startDate: '2027-01-01T09:00:00',
      timezone: 'Europe/Berlin',
    },
    count: 3,
  },
  sendToMyself: {
    channel: 'email',
    subject: 'Rent',
    message: 'Your rent of **{{amount}}** is due',
    format: 'markdown',
    values: { amount: '950 €' },
  },
  testReminder: { recipients: ['dana@example.com'], subject: 'Rent', message: 'Dear {{recipient_name}}' },
  recordConsents: {
    consents: [
      {
        channel: 'sms',
        recipient: '+4915112345678',
        kind: 'given',
        text: 'Text me when my rent is due. I can stop it by answering STOP.',
        said_at: '2026-03-01T09:00:00Z',
        form: 'https://example.com/join',
      },
    ],
  },
  createTemplate: {
    name: 'Receipt',
    content: {
      type: 'email',
      subject: 'Receipt of {{amount}}',
      body: 'Dear {{recipient_name}}, thank you for {{amount}}.',
    },
    variables: { variables: [{ name: 'amount', type: 'number' }] },
  },
  updateTemplate: { content: { subject: 'Your receipt' } },
  previewTemplate: { content: { subject: 'Receipt of {{amount}}', body: 'Thank you.' }, values: { amount: '950 €' } },
  createContact: { name: 'Dana Owens', email: 'dana@example.com', tags: ['tenant'], variables: { unit: '4b' } },
  updateContact: { name: 'Dana Owens', phone: '+49301234567' },
  deleteContacts: { ids: [id] },
  tagContacts: { contacts: { ids: [id] }, add: ['tenant'] },
  saveContacts: { contacts: [{ name: 'Dana Owens', email: 'dana@example.com' }] },
  importContacts: { csv: 'Name,Email\nDana Owens,dana@example.com', mode: 'import' },
  importWorkspace: { format: 'cuebird-workspace', version: 1, reminders: [{ ref: id, ...reminder }] },
  countPeople: { audience: { tags: ['tenant'] } },
  sendNotification: { template_id: id, recipient: 'Dana Owens <dana@example.com>', variables: { amount: 950 } },
  createJob: {
    name: 'Rent of June',
    template_id: id,
    schedule: { type: 'scheduled', scheduleType: 'once', startDate: '2027-06-01T09:00:00', timezone: 'Europe/Berlin' },
    recipients: ['Dana Owens <dana@example.com>'],
    variables: { amount: 950 },
  },
  previewCalendarSource: calendar,
  createCalendarSource: {
    name: 'Office',
    ...calendar,
    content: { subject: '{{event.title}}', message: 'It begins at {{event.start}}.', recipients: ['dana@example.com'] },
    metadata: { channels: ['email'] },
  },
  updateCalendarSource: { name: 'Office', ...calendar },
  createMonthlyReport: { address: 'manager@example.com' },
  updateMonthlyReport: { address: 'owner@example.com' },
  mailReport: { to: ['manager@example.com'] },
  createChannel: { name: 'Orders', type: 'webhook', configuration: { url: 'https://example.com/hook' } },
  updateChannel: { is_active: false },
  sendEvent: {
    event: 'payment_failed',
    key: 'invoice-1042-failed-1',
    data: { amount: '49.00 €' },
    recipients: ['dana@example.com'],
  },
  cancelEvent: { key: 'invoice-1042-failed-1' },
  testEvent: { data: { amount: '49.00 €' }, recipients: ['dana@example.com'] },
  addPushBrowser: {
    endpoint: 'https://push.example.com/1',
    keys: {
      p256dh: 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
      auth: 'AAAAAAAAAAAAAAAAAAAAAA',
    },
  },
  reportClientError: {
    kind: 'screen',
    screen: '/contacts/$id',
    name: 'TypeError',
    frames: ['render /assets/ContactScreen-3fA9.js:1:2034'],
  },
  createApiKey: { name: 'Booking system', scopes: ['send'] },
};
