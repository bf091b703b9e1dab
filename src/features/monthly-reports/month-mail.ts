import { monthlyReportLimits } from '#contract/monthly-reports.ts';
import { counted } from '#domain/in-words.ts';
import { nameForMany } from '#domain/job-name.ts';
import type { DueReport } from '#domain/report-month.ts';
import { reachedText, unreachedTexts } from '#domain/run-outcome.ts';
import { unlinked } from '#domain/unlinked.ts';
import type { MonthSummary } from '#features/monthly-reports/month-summary.service.ts';
import { writeCsv } from '#platform/csv.ts';

/** The addresses at which a report is ended. */
export type ReportLinks = (of: { stops: 'monthly_report'; workspaceId: string; recipient: string; id: string }) => {
  page: string;
  oneClick: string;
};

type Of = {
  summary: MonthSummary;
  due: DueReport;
  /** The jobs of the month that the workspace has deleted, after so many days; null where it has them all. */
  deleted: { days: number; until: Temporal.Instant } | null;
  timezone: string;
  company: string;
  /** The address at which people reach Cuebird. */
  url: string;
  /** Whether the report is about a group. */
  isGroup: boolean;
  unsubscribe: { page: string };
};

/** The mail of a monthly report: the figures, the first runs, and a file with the runs. */
export function monthMail({ summary, due, deleted, timezone, company, url, isGroup, unsubscribe }: Of) {
  const { about, runs, first, people } = summary;
  const month = monthText(due.month);
  const subject = [
    `${unlinked(company)}: report of ${month}`,
    ...(about === null ? [] : [unlinked(nameForMany(about))]),
  ];
  const listed = first.slice(0, monthlyReportLimits.runsInText);
  const rest = runs - listed.length;
  const lastDay = Temporal.PlainDate.from(due.month).add({ months: 1 }).subtract({ days: 1 });
  return {
    subject: subject.join(', '),
    text: [
      'Hello,',
      `This is the report of ${unlinked(company)} for ${month} (${timezone})${aboutText(about, isGroup)}.`,
      ...(due.isLate ? [lateText(due)] : []),
      ...(deleted === null ? [] : [deletedText(deleted, timezone)]),
      ...(runs === 0
        ? [deleted === null ? 'Nothing was sent in this month.' : 'No run of this month is kept.']
        : [
            [
              `${counted(runs, 'run')}. Reached: ${reachedText(people)}, each counted once in a run.`,
              ...unreachedTexts(people).map((text) => `• ${unlinked(text)}`),
            ].join('\n'),
            listed
              .map(
                (run) =>
                  `• ${wallTime(run.scheduled_for, timezone)} ${unlinked(nameForMany(run.name))}: ${outcomeText(run)}`,
              )
              .join('\n'),
            ...(rest > 0 ? [`… and ${counted(rest, 'more run')}.`] : []),
            fileText(runs),
          ]),
      `Members of the workspace find the runs here: ${url}/jobs?time=dates&from=${due.month}&to=${lastDay.toString()}`,
      `You get this once a month. To get it no more: ${unsubscribe.page}`,
    ].join('\n\n'),
    attachment: {
      name: `report-${due.month.slice(0, 7)}.csv`,
      mediaType: 'text/csv',
      content: `\uFEFF${writeCsv([headOf(timezone), ...first.map((run) => lineOf(run, timezone))])}`,
    },
  };
}

type Run = MonthSummary['first'][number];

function aboutText(about: string | null, isGroup: boolean): string {
  if (about === null) return ', of all its reminders';
  const name = unlinked(nameForMany(about));
  return isGroup ? `, for the people who are in the group ${name} now` : `, of the reminder ${name}`;
}

const lateText = ({ hasGap }: DueReport): string =>
  `It comes late: it could not be sent on the first of the month.${hasGap ? ' Reports of months before were not sent, and do not follow.' : ''}`;

const deletedText = ({ days, until }: NonNullable<Of['deleted']>, timezone: string): string =>
  `This workspace deletes jobs after ${days} days: runs before ${wallTime(until.toString(), timezone)} may be missing here.`;

const fileText = (runs: number): string =>
  runs > monthlyReportLimits.runs
    ? `The attached file has the first ${monthlyReportLimits.runs.toLocaleString('en')} runs; the figures above are of all.`
    : 'The attached file has every run.';

const outcomeText = ({ people }: Run): string =>
  [reachedText(people), ...unreachedTexts(people).map(unlinked)].join(' · ');

const headOf = (timezone: string) => [
  'Run',
  `Scheduled for (${timezone})`,
  'Scheduled for (UTC)',
  'People',
  'Reached',
  'Failed',
  'Skipped',
  'Left out',
  'Waiting',
  'Not reached',
  'Job id',
];

const lineOf = ({ id, name, scheduled_for: at, people }: Run, timezone: string) => [
  nameForMany(name),
  wallTime(at, timezone),
  at,
  String(people.total),
  String(people.reached),
  String(people.failed),
  String(people.skipped),
  String(people.excluded),
  String(people.waiting),
  unreachedTexts(people).join('; '),
  id,
];

/** `February 2026`. */
const monthText = (month: string): string =>
  Temporal.PlainDate.from(month).toLocaleString('en', { month: 'long', year: 'numeric', calendar: 'gregory' });

/** `2026-02-02 09:00`. */
const wallTime = (at: string, timezone: string): string =>
  Temporal.Instant.from(at)
    .toZonedDateTimeISO(timezone)
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })
    .replace('T', ' ');
