import type { Notice } from '#features/notices/notices.db.ts';

/** The mail to the owners of a workspace: the number of notices, the first of them with links, and a link to all. */
export function noticeMail({
  workspace,
  count,
  first,
  url,
}: {
  workspace: string;
  count: number;
  first: readonly Notice[];
  url: string;
}): { subject: string; text: string } {
  const what = count === 1 ? '1 reminder' : `${count} reminders`;
  const rest = count - first.length;
  return {
    subject: `${oneLine(workspace)}: ${what} could not be sent`,
    text: [
      'Hello,',
      `${what} of ${oneLine(workspace)} could not be sent:`,
      ...first.map((notice) => lineOf(notice, url)),
      ...(rest === 0 ? [] : [`… and ${rest} more.`]),
      ...(first.some(({ kind }) => kind === 'over_plan') ? [`To send more, see the plans: ${url}/billing`] : []),
      `To see them all, and to send them again: ${url}/jobs?status=cancelled`,
      `You get this at most once a day, as an owner of the workspace. To choose which of these mails you get: ${url}/settings`,
    ].join('\n\n'),
  };
}

const lineOf = ({ job_id, name, scheduled_for, timezone, reason }: Notice, url: string) =>
  `• ${oneLine(name)}, ${wallTime(scheduled_for, timezone)}\n${oneLine(reason)}\n${url}/jobs?job=${job_id}`;

function wallTime(instant: string, timezone: string): string {
  const { year, month, day, hour, minute } = Temporal.Instant.from(instant).toZonedDateTimeISO(timezone);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)} (${timezone})`;
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
