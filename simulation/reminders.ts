import { isAudience } from '#contract/audience.ts';
import { ReminderInput } from '#contract/reminders.ts';
import { someAudience } from '#simulation/contacts.ts';
import { isoOf } from '#simulation/tables.ts';
import { someTopic } from '#simulation/topics.ts';
import type { Random } from '#simulation/random.ts';

const minuteMs = 60_000;

/** Times are in UTC. Other tests cover zones and clock changes. */
const wall = (ms: number) => isoOf(Temporal.Instant.fromEpochMilliseconds(ms)).slice(0, 19);

const someRecipients = [
  'https://one.example/a',
  'https://one.example/b',
  'https://one.example/c',
  'https://two.example/a',
  'https://two.example/b',
  'https://three.example/a',
  // The same as the first of that host, and an invalid recipient.
  'https://TWO.example/a',
  'Anna <anna@mail.example>',
  'ben@mail.example',
  'BEN@mail.example',
  '+49 30 1234567',
  '+49 30 7654321',
];

const sets = [['webhook'], ['webhook'], ['webhook', 'sms'], ['sms'], ['sms', 'email', 'webhook']] as const;
/** Channels that are tried in order. */
const chains = [
  ['sms', 'email'] as const,
  ['email', 'sms'] as const,
  ['sms', 'email', 'webhook'] as const,
  ['webhook', 'email', 'sms'] as const,
] as const;

/** A reminder as a user might write it now. Every schedule has an occurrence within the hour. */
export function someReminder(
  random: Random,
  {
    name,
    now,
    workspaceId,
    hasContacts,
    hasChains,
  }: { name: string; now: Temporal.Instant; workspaceId: string; hasContacts: boolean; hasChains: boolean },
): ReminderInput {
  const hasMany = random.chance(0.15);
  // Without URLs, all webhook deliveries go to the channel's own URL.
  const known =
    random.chance(0.2) || hasChains ? someRecipients.filter((one) => !one.startsWith('http')) : someRecipients;
  const audience = hasContacts && random.chance(0.6) ? someAudience(random, workspaceId) : undefined;
  const fewest = isAudience(audience) ? 0 : 1;
  const recipients = random.shuffled(known).slice(0, hasMany ? 12 : random.between(fewest, 4));
  return ReminderInput.parse({
    name,
    status: random.chance(0.93) ? 'active' : 'paused',
    schedule_config: someSchedule(random, now),
    content: {
      subject: 'Rent',
      message: 'Hello {{recipient_name}}',
      recipients,
      topic_id: someTopic(workspaceId, { from: name + recipients.join(' ') }),
    },
    metadata: {
      channels: random.pick<readonly string[]>(hasChains ? chains : sets),
      channel_mode: hasChains ? 'in_order' : undefined,
      audience,
      misfire: random.pick(['latest', 'latest', 'skip', 'all', undefined]),
    },
  });
}

function someSchedule(random: Random, now: Temporal.Instant): object {
  const soonMs = Math.ceil((now.epochMilliseconds + random.between(1, 20) * minuteMs) / 1_000) * 1_000;
  // A one-time reminder up to a day late is still sent.
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
