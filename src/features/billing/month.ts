/** The calendar month in UTC in which usage counts; `start` is a date, `next` the instant at which the next one begins. */
export function monthOfUsage(now: Temporal.Instant): { start: string; next: string } {
  const first = now.toZonedDateTimeISO('UTC').toPlainDate().with({ day: 1 });
  return { start: first.toString(), next: `${first.add({ months: 1 }).toString()}T00:00:00Z` };
}
