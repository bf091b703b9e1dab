import { getRouteApi } from '@tanstack/react-router';
import { z } from 'zod';
import { channelTypes } from '#contract/reminders.ts';

/** What the address says: the tab, and what is searched for in it. */
export const ContactsSearch = z.object({
  tab: z.literal('suppressed').optional().catch(undefined),
  // The router reads `?search=2026` as a number.
  search: z.coerce.string().max(200).optional().catch(undefined),
  channel: z.enum(channelTypes).optional().catch(undefined),
  // Any word: the list of reasons comes with the screen, not with every page.
  reason: z.string().max(40).optional().catch(undefined),
});
export type ContactsSearch = z.output<typeof ContactsSearch>;

const route = getRouteApi('/themed/signed-in/contacts');

/** The screen's state in the address, and how to change parts of it. */
export function useContactsSearch() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const change = (part: Partial<ContactsSearch>, { replace = true } = {}) =>
    void navigate({ search: (before) => ({ ...before, ...part }), replace, resetScroll: false });
  return { ...search, change };
}
