import type { Reminder } from '#contract/reminders.ts';
import { targetsOf } from '#domain/recipients.ts';
import { parseCron, ScheduleError } from '#domain/schedule.ts';

type Checked = Pick<Reminder, 'status' | 'schedule_config' | 'content' | 'metadata' | 'next_run_at'>;

/** What a person should know before relying on a reminder: nothing here refuses it. */
export function warningsOf(reminder: Checked): string[] {
  return [...scheduleWarnings(reminder), ...recipientWarnings(reminder), ...privateAddressWarnings(reminder)];
}

function scheduleWarnings({ schedule_config: config }: Checked): string[] {
  if (config.type !== 'scheduled' || config.scheduleType !== 'custom') return [];
  try {
    parseCron(config.customCron, config.timezone);
    return [];
  } catch (error) {
    if (error instanceof ScheduleError) return [error.message];
    throw error;
  }
}

function recipientWarnings({ content, metadata }: Checked): string[] {
  const problems = targetsOf(content.recipients, metadata.channels).flatMap((target) =>
    target.problem === null ? [] : [target],
  );
  const [first] = problems;
  if (first === undefined) return [];
  return [
    problems.length === 1
      ? `${first.recipient}: ${first.problem}`
      : `${problems.length} recipients will be skipped, the first: ${first.problem}`,
  ];
}

const privateHost =
  /^(localhost|.*\.localhost|.*\.local|.*\.internal|127\.[\d.]+|10\.[\d.]+|192\.168\.[\d.]+|172\.(1[6-9]|2\d|3[01])\.[\d.]+|169\.254\.[\d.]+|0\.0\.0\.0|\[.*\])$/i;

/** Only hints at what is plain to see; the egress guard decides when the message is sent. */
function privateAddressWarnings({ content }: Checked): string[] {
  return content.recipients.flatMap((recipient) => {
    const host = /^https?:/i.test(recipient) ? URL.parse(recipient)?.hostname : undefined;
    return host !== undefined && privateHost.test(host)
      ? [`${recipient} leads to a private address and may be refused when it is sent`]
      : [];
  });
}
