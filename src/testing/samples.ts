import type { z } from 'zod';
import type { Routes } from '#contract/routes.ts';

/** A valid reminder that never runs by itself. */
export const sampleReminder = {
  name: 'Rent',
  description: 'Every first of the month',
  status: 'paused',
  schedule_config: { type: 'scheduled', scheduleType: 'monthly', startDate: '2026-01-01T09:00:00', timezone: 'UTC' },
  content: { subject: 'Rent is due', message: 'Dear {{recipient_name}}', recipients: ['Dana <dana@example.com>'] },
  metadata: { channels: ['email'], priority: 'medium' },
} as const satisfies z.input<Routes['createReminder']['body']>;

export const sampleCalendar = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'BEGIN:VEVENT',
  'UID:rent@example.com',
  'DTSTART:20990101T090000Z',
  'SUMMARY:Rent',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

export const sampleTemplate = {
  name: 'Rent reminder',
  description: 'Before the first of the month',
  content: { subject: 'Rent of {{amount}}', body: 'Dear {{recipient_name}}, {{amount}} is due.', type: 'email' },
  variables: {
    variables: [{ name: 'amount', type: 'number', description: '', required: true, defaultValue: '' }],
  },
} as const satisfies z.input<Routes['createTemplate']['body']>;

/** A browser that takes push messages, with keys of the correct length. */
export const samplePushBrowser = {
  endpoint: 'http://127.0.0.1:2/wpush/1',
  keys: {
    p256dh: 'BGsX0fLhLEJH-Lzm5WOkQPJ3A32BLeszoPShOUXYmMKWT-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU',
    auth: Buffer.alloc(16, 7).toString('base64url'),
  },
};

/** A screen that has broken. */
export const sampleClientError = {
  kind: 'screen',
  screen: '/contacts/$id',
  name: 'TypeError',
  message: 'Cannot read properties of undefined',
  frames: ['render /assets/ContactScreen-3fA9.js:1:2034'],
} as const satisfies z.input<Routes['reportClientError']['body']>;

export const sampleRule = { match: 'all' as const, conditions: [{ test: 'has_tag' as const, tag: 'tenant' }] };
