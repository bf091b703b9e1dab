import { getRouteApi } from '@tanstack/react-router';
import { z } from 'zod';
import { channelTypes } from '#contract/channel-types.ts';
import { contactSorts } from '#contract/contact-sorts.ts';
import { useScreenSearch } from '#web/app/use-screen-search.ts';

const Short = z.string().max(40).optional().catch(undefined);

/** The state of the screen in the URL: the tab and its search. */
export const ContactsSearch = z.object({
  tab: z.enum(['groups', 'suppressed']).optional().catch(undefined),
  search: z.string().max(200).optional().catch(undefined),
  sort: z.enum(contactSorts).optional().catch(undefined),
  tag: z.string().max(50).optional().catch(undefined),
  /** The dialog that the screen opens, where a command of the palette asked for it. */
  open: z.enum(['new', 'import', 'imports']).optional().catch(undefined),
  group: z.uuid().optional().catch(undefined),
  channel: z.enum(channelTypes).optional().catch(undefined),
  // These are any strings here: the lists of reasons and topics load with the screen, not with every page.
  reason: Short,
  /** `everything`, `optional` or the id of a topic. */
  covers: Short,
});
export type ContactsSearch = z.output<typeof ContactsSearch>;

/** The channel by which the deliveries of a contact are filtered. */
export const ContactPageSearch = z.object({ channel: z.enum(channelTypes).optional().catch(undefined) });

const route = getRouteApi('/themed/signed-in/contacts');

export const useContactsSearch = () => useScreenSearch(route);
