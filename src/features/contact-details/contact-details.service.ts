import type { ContactDetails } from '#contract/contact-details.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { consentStates } from '#features/consents/required-consent.service.ts';
import { groupsOf } from '#features/contact-groups/audience.service.ts';
import { getContact } from '#features/contacts/contacts.service.ts';
import { keysOf, spellingsOf } from '#features/contacts/spellings.service.ts';
import { listDeliveriesToPerson } from '#features/jobs/deliveries.service.ts';
import { wishesOf } from '#features/preferences/preferences.service.ts';
import { suppressionsOf } from '#features/suppressions/suppressions.service.ts';
import type { TenantContext } from '#platform/context.ts';
import type { SecretBox } from '#platform/secrets.ts';

/** A contact with its groups, suppressions, hours and consents. Throws NotFound. */
export async function showContact(
  ctx: TenantContext,
  id: string,
  { secrets }: { secrets: SecretBox },
): Promise<ContactDetails> {
  const contact = await getContact(ctx, id);
  const groups = await groupsOf(ctx, contact);
  const suppressions = await suppressionsOf(ctx, { recipients: keysOf(contact), secrets });
  const wishes = await wishesOf(ctx, { addresses: keysOf(contact), now: ctx.now });
  return {
    ...contact,
    groups,
    suppressions,
    receiving_hours: wishes.map(({ address, hours, since, neverMeets }) => ({
      address,
      ...hours,
      chosen_at: since,
      never_meets: neverMeets,
    })),
    consents: await consentStates(ctx, contact.phone),
  };
}

type DeliveriesQuery = { id: string; limit: number; cursor?: string; channel?: ChannelType };

/** The deliveries to the contact, newest first. Throws NotFound. */
export async function listDeliveries(ctx: TenantContext, { id, ...query }: DeliveriesQuery) {
  const contact = await getContact(ctx, id);
  return listDeliveriesToPerson(ctx, { ...query, contactId: id, addresses: spellingsOf(contact) });
}
