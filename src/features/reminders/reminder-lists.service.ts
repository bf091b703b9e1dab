import { z } from 'zod';
import {
  type LastRun,
  type Reminder,
  type ReminderSort,
  type ReminderState,
  type ReminderSummary,
  shownRecipients,
} from '#contract/reminders.ts';
import { lastRunsOf } from '#features/jobs/runs.service.ts';
import { openings } from '#features/reminders/forecast-hours.service.ts';
import * as rows from '#features/reminders/reminder-lists.db.ts';
import type { StoredReminder } from '#features/reminders/reminders.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { CursorInstant, decodeCursor, encodeCursor } from '#platform/cursor.ts';
import { AfterCommit } from '#platform/handler.ts';

type Query = { search?: string; status: ReminderState | 'all'; sort: ReminderSort; cursor?: string; limit: number };
type PageOf<Row> = { data: Row[]; next_cursor: string | null };

/**
 * A page of the matching reminders in the requested order. Throws Invalid for a cursor of another order.
 * @param query.withOneOffs lists messages that are written once, too
 * @param query.before the rows that are already on the page, which may leave no space for others
 */
export async function listReminders(
  ctx: TenantContext,
  query: Query & { withOneOffs?: boolean; before?: readonly unknown[] },
): Promise<PageOf<StoredReminder>> {
  const after = decodeCursor(query.cursor, keys[query.sort]);
  const { rows: found, isMore } = await rows.findReminders(ctx.db, { ...query, workspaceId: ctx.workspaceId, after });
  const last = found.at(-1);
  const end = last === undefined ? (query.cursor ?? null) : encodeCursor({ at: String(last.at), id: last.cursor_id });
  return {
    data: found.map(({ at: _, cursor_id: __, revision: ___, ...row }) => row),
    next_cursor: isMore ? end : null,
  };
}

/** How often up to 2 MB are read for one page, which fills a screen even with the largest reminders. */
const readsOfSummaries = 8;

type WithWarnings = (
  ctx: TenantContext,
  found: readonly StoredReminder[],
) => Promise<Reminder[] | AfterCommit<Reminder[]>>;

/**
 * A page of summaries. The warnings depend on the whole text of a reminder, so the reminders are read in parts of one page's size, each
 * in its own transaction, and only the summaries are kept.
 */
export async function listSummaries(
  ctx: TenantContext,
  query: Query,
  withWarnings: WithWarnings,
): Promise<PageOf<ReminderSummary> | AfterCommit<PageOf<ReminderSummary>>> {
  const data: ReminderSummary[] = [];
  const lastRuns = new Map<string, LastRun>();
  const read = async (here: TenantContext, cursor: string | undefined) => {
    const page = await listReminders(here, { ...query, cursor, limit: query.limit - data.length, before: data });
    for (const [id, run] of await lastRunsOf(
      here,
      page.data.map((reminder) => reminder.id),
    ))
      lastRuns.set(id, run);
    return { page, warned: await withWarnings(here, page.data) };
  };
  const openingAfter = await openings(ctx);
  const summaryOf = (reminder: Reminder) => ({
    ...summarized(reminder),
    last_run: lastRuns.get(reminder.id) ?? null,
    opens_at: openingAfter(reminder),
  });
  const isLast = ({ next_cursor: next, data: found }: PageOf<StoredReminder>) =>
    next === null || found.length === 0 || data.length === query.limit;
  let { page, warned } = await read(ctx, query.cursor);
  if (!(warned instanceof AfterCommit)) {
    data.push(...warned.map(summaryOf));
    if (isLast(page)) return { data, next_cursor: page.next_cursor };
    warned = [];
  }
  return new AfterCommit(async (again) => {
    for (let reads = 1; ; reads += 1) {
      data.push(...(warned instanceof AfterCommit ? await warned.finish(again) : warned).map(summaryOf));
      const { next_cursor: next } = page;
      if (isLast(page) || next === null || reads === readsOfSummaries) return { data, next_cursor: next };
      ({ page, warned } = await again((db) => read({ ...ctx, db }, next)));
    }
  });
}

const summarized = ({
  content: { subject, recipients },
  ...reminder
}: Reminder): Omit<ReminderSummary, 'last_run' | 'opens_at'> => ({
  ...reminder,
  content: { subject, recipients: recipients.slice(0, shownRecipients), recipient_count: recipients.length },
});

const Name = z
  .string()
  .max(200)
  .refine((text) => !text.includes('\0'));
const NextRun = z.union([z.literal(rows.withoutNextRun), CursorInstant]);
const Rank = z.enum(['1', '2', '3']);

const keys: Record<ReminderSort, z.ZodType<string>> = {
  created: CursorInstant,
  '-created': CursorInstant,
  name: Name,
  '-name': Name,
  next_run: NextRun,
  '-next_run': NextRun,
  status: Rank,
  '-status': Rank,
};
