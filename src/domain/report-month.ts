/** For how long one process has a report to itself: longer than a mail server may take. */
export const leaseMinutes = 15;

/** From which hour of the first of a month its report is sent, in the workspace's zone. */
const fromHour = 8;

/** The zone of a workspace that has none set. */
export const defaultReportZone = 'UTC';

/** The month before the one in which `now` lies in the zone. */
const monthBefore = (now: Temporal.Instant, timezone: string): Temporal.PlainYearMonth =>
  now.toZonedDateTimeISO(timezone).toPlainDate().toPlainYearMonth().subtract({ months: 1 });

/** The month that a new subscription counts as reported: its first report comes with the next month. */
export const monthReportedAtFirst = (now: Temporal.Instant, timezone: string): string =>
  firstDay(monthBefore(now, timezone));

const firstDay = (month: Temporal.PlainYearMonth): string => month.toPlainDate({ day: 1 }).toString();

export type DueReport = {
  /** The first day of the month, such as `2026-02-01`. */
  month: string;
  /** The month lies in [from, to). */
  from: Temporal.Instant;
  to: Temporal.Instant;
  dueAt: Temporal.Instant;
  /** Whether it is sent a day or more after it was due. */
  isLate: boolean;
  /** Whether months before it were never reported. */
  hasGap: boolean;
};

/** The report that is due now; null where there is none. Of several months that were not reported, only the last is sent. */
export function dueReport(
  { reportedMonth, timezone }: { reportedMonth: string; timezone: string },
  now: Temporal.Instant,
): DueReport | null {
  const month = monthBefore(now, timezone);
  const reported = Temporal.PlainDate.from(reportedMonth).toPlainYearMonth();
  if (Temporal.PlainYearMonth.compare(reported, month) >= 0) return null;
  const start = (of: Temporal.PlainYearMonth) => of.toPlainDate({ day: 1 }).toZonedDateTime(timezone);
  const next = start(month.add({ months: 1 }));
  const dueAt = next
    .toPlainDate()
    .toZonedDateTime({ timeZone: timezone, plainTime: { hour: fromHour } })
    .toInstant();
  if (Temporal.Instant.compare(now, dueAt) < 0) return null;
  return {
    month: firstDay(month),
    from: start(month).toInstant(),
    to: next.toInstant(),
    dueAt,
    isLate: Temporal.Instant.compare(now, dueAt.add({ hours: 24 })) >= 0,
    hasGap: Temporal.PlainYearMonth.compare(reported.add({ months: 1 }), month) < 0,
  };
}
