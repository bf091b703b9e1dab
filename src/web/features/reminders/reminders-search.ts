import { getRouteApi } from '@tanstack/react-router';
import { z } from 'zod';
import { reminderSorts, reminderStatuses } from '#contract/reminders.ts';

/** What the address of the list says: the filters, the order, cards or table, and which dialog is open on what. */
export const RemindersSearch = z.object({
  // The router reads `?search=2026` as a number.
  search: z.coerce.string().max(200).optional().catch(undefined),
  status: z.enum(reminderStatuses).optional().catch(undefined),
  sort: z.enum(reminderSorts).optional().catch(undefined),
  view: z.literal('table').optional().catch(undefined),
  /** The reminder whose test is being written. */
  test: z.uuid().optional().catch(undefined),
  /** The job of a test that was sent. */
  sent: z.uuid().optional().catch(undefined),
  /** The reminder whose next occurrences are shown. */
  schedule: z.uuid().optional().catch(undefined),
});
export type RemindersSearch = z.output<typeof RemindersSearch>;

const route = getRouteApi('/themed/signed-in/reminders');

/** The screen's state in the address, and how to change parts of it: filters in place, dialogs so that the back button closes them. */
export function useRemindersSearch() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<RemindersSearch>, { replace = false } = {}) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace, resetScroll: false });
  return { ...search, change };
}
