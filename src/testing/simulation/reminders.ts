import { ReminderInput } from '#contract/reminders.ts';
import { isoOf } from '#testing/simulation/tables.ts';
import type { Random } from '#testing/simulation/random.ts';

const minuteMs = 60_000;

/** Times are in UTC: what zones and clock changes do to a schedule is tried elsewhere. */
const wall = (ms: number) => isoOf(Temporal.Instant.fromEpochMilliseconds(ms)).slice(0, 19);

const someRecipients = [
  'https://one.example/a',
  'https://one.example/b',
  'https://one.example/c',
  'https://two.example/a',
  'https://two.example/b',
  'https://three.example/a',
  // The same as the first of that host, and nobody.
  'https://TWO.example/a',
  'Anna <anna@mail.example>',
  'ben@mail.example',
  'BEN@mail.example',
  '+49 30 1234567',
  '+49 30 7654321',
];

/** A reminder as somebody might write it now. Every schedule has something to do within the hour. */
export function someReminder(random: Random, { name, now }: { name: string; now: Temporal.Instant }): ReminderInput {
  const hasMany = random.chance(0.15);
  // Without URLs among them all that a webhook takes goes to the channel's own address.
  const known = random.chance(0.2) ? someRecipients.filter((one) => !one.startsWith('http')) : someRecipients;
  const recipients = random.shuffled(known).slice(0, hasMany ? 12 : random.between(1, 4));
  return ReminderInput.parse({
    name,
    status: random.chance(0.93) ? 'active' : 'paused',
    schedule_config: someSchedule(random, now),
    content: { subject: 'Rent', message: 'Hello {{recipient_name}}', recipients },
    metadata: {
      channels: random.pick([['webhook'], ['webhook'], ['webhook', 'sms'], ['sms'], ['sms', 'email', 'webhook']]),
      misfire: random.pick(['latest', 'latest', 'skip', 'all', undefined]),
    },
  });
}

function someSchedule(random: Random, now: Temporal.Instant): object {
  const soonMs = Math.ceil((now.epochMilliseconds + random.between(1, 20) * minuteMs) / 1_000) * 1_000;
  // Up to a day back a one-time reminder still goes out.
  const lateMs = now.epochMilliseconds - random.between(0, 23 * 60) * minuteMs;
  const minute = new Date(soonMs).getUTCMinutes();
  const cron = (customCron: string) => ({ scheduleType: 'custom', customCron });
  const schedule = random.pick([
    cron(`*/${random.pick([3, 5, 5, 10, 15])} * * * *`),
    cron(`*/${random.pick([3, 5, 5, 10, 15])} * * * *`),
    cron(`*/${random.pick([3, 5, 5, 10, 15])} * * * *`),
    cron(`${minute} * * * *`),
    { scheduleType: 'daily', startDate: wall(soonMs) },
    { scheduleType: 'once', startDate: wall(soonMs) },
    { scheduleType: 'once', startDate: wall(lateMs) },
  ]);
  return { type: 'scheduled', timezone: 'UTC', ...schedule };
}
