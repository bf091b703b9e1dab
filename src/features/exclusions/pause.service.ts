import type { Contact } from '#contract/contacts.ts';
import { mostPausedYears } from '#contract/exclusions.ts';
import { dayInWords } from '#domain/day-in-words.ts';
import { nameInActs } from '#domain/masked-address.ts';
import { pauseEndMs } from '#domain/exclusions.ts';
import { getContact, setPause } from '#features/contacts/contacts.service.ts';
import { recordAct } from '#platform/audit.ts';
import type { TenantContext } from '#platform/context.ts';
import { Invalid } from '#platform/errors.ts';

/** Pauses all reminders to a contact until a day. Throws NotFound, and Invalid for a day that has begun or is too far ahead. */
export async function pauseContact(ctx: TenantContext, { id, until }: { id: string; until: string }): Promise<Contact> {
  const { timezone } = await getContact(ctx, id);
  // A day begins last in the west: whose zone is unknown, may be there.
  const endMs = pauseEndMs(until, timezone ?? 'Etc/GMT+12');
  if (endMs <= ctx.now.epochMilliseconds)
    throw new Invalid([{ path: 'until', message: 'must be a day that lies ahead' }]);
  const latest = ctx.now.toZonedDateTimeISO('UTC').add({ years: mostPausedYears });
  if (endMs > latest.epochMilliseconds)
    throw new Invalid([{ path: 'until', message: `must be within ${mostPausedYears} years` }]);
  const paused = await setPause(ctx, { id, until });
  await recordAct(ctx, {
    action: 'contacts.paused',
    target: id,
    details: { name: nameInActs(paused), until: dayInWords(until) },
  });
  return paused;
}

/** Ends the pause of a contact, if there is one. Throws NotFound. */
export async function endPauseOfContact(ctx: TenantContext, id: string): Promise<Contact> {
  const contact = await getContact(ctx, id);
  if (contact.paused_until === null) return contact;
  const resumed = await setPause(ctx, { id, until: null });
  await recordAct(ctx, { action: 'contacts.pause_ended', target: id, details: { name: nameInActs(resumed) } });
  return resumed;
}
