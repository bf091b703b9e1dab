import type { Contact } from '#contract/contacts.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';

/** Today where the contact is, as far as that is known. */
export const todayOf = ({ timezone }: Pick<Contact, 'timezone'>): Temporal.PlainDate =>
  Temporal.Now.plainDateISO(timezone ?? viewerZone());

/** The day on which the pause of a contact ends; null where they have none, or it is over. */
export const endAhead = (contact: Pick<Contact, 'paused_until' | 'timezone'>): string | null =>
  contact.paused_until !== null && Temporal.PlainDate.compare(contact.paused_until, todayOf(contact)) > 0
    ? contact.paused_until
    : null;
