import { readLocalStorageValue, useLocalStorage } from '@mantine/hooks';
import { getRouteApi } from '@tanstack/react-router';
import { z } from 'zod';
import { reminderSorts, reminderStates } from '#contract/reminders.ts';
import { useScreenSearch } from '#web/app/use-screen-search.ts';

/** The state of the list in the URL: the filters, the sort order, cards or table, and the open dialog. */
export const RemindersSearch = z.object({
  search: z.string().max(200).optional().catch(undefined),
  status: z.enum(reminderStates).optional().catch(undefined),
  sort: z.enum(reminderSorts).optional().catch(undefined),
  view: z.literal('table').optional().catch(undefined),
  /** The reminder of the open test dialog. */
  test: z.uuid().optional().catch(undefined),
  /** The reminder of the open dialog for a test event. */
  event: z.uuid().optional().catch(undefined),
  /** The job of a test that was sent. */
  sent: z.uuid().optional().catch(undefined),
  /** What the open dialog is to pause: a reminder, or all of them. */
  pause: z
    .union([z.uuid(), z.literal('all')])
    .optional()
    .catch(undefined),
  /** The reminder of the open schedule dialog. */
  schedule: z.uuid().optional().catch(undefined),
});
export type RemindersSearch = z.output<typeof RemindersSearch>;

/** How many reminders are loaded at once. */
export const pageSizes = { cards: 24, table: 100 };

const stored = { key: 'cuebird.reminders-view', defaultValue: 'cards' };

const viewOf = (remembered: string) => (remembered === 'table' ? remembered : undefined);

/** The table, where this browser showed it last. */
export const rememberedView = () => viewOf(readLocalStorageValue<string>(stored));

const route = getRouteApi('/themed/signed-in/reminders');

/**
 * Reads and changes the screen's state in the URL. Filters replace the history entry; dialogs add one, so that Back
 * closes them. Cards or table is remembered in the browser, for links that do not say it.
 */
export function useRemindersSearch() {
  const search = useScreenSearch(route, { replaces: false });
  const [remembered, rememberView] = useLocalStorage<string>({ ...stored, getInitialValueInEffect: false });
  const view = search.view ?? viewOf(remembered);
  return { ...search, view, rememberView };
}
