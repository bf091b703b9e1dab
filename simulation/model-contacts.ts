import { matchKey } from '#contract/audience.ts';
import { emailKey } from '#contract/email-address.ts';
import type { PersonInAudience } from '#domain/audience-targets.ts';
import { hasTag, meetsRule } from '#domain/contact-rule.ts';
import { type KnownContact, keyInWorkspace } from '#engine/run/contacts.ts';
import type { AudienceRequest } from '#engine/store.ts';
import type { ContactRow, Tables } from '#simulation/tables.ts';

const noParts = { first_name: null, last_name: null, salutation: null, language: null };

export const contactsOf = (tables: Tables, workspaceId: string): ContactRow[] =>
  [...tables.contacts.values()].filter((contact) => contact.workspace_id === workspaceId);

/** The contact with this address or number, by its key. */
export function contactAt(
  tables: Tables,
  { workspaceId, key }: { workspaceId: string; key: string },
): [string, KnownContact][] {
  return contactsOf(tables, workspaceId)
    .filter(({ email, phone }) => (email !== null && emailKey(email) === key) || phone === key)
    .map(({ id, name, email, phone, variables }) => [
      keyInWorkspace(workspaceId, key),
      { ...noParts, id, name, email, phone, timezone: null, preferred_channel: null, variables },
    ]);
}

/** The people of an audience, in the order of their ids. */
export function audienceNow(
  tables: Tables,
  { workspaceId, audience, among, limit }: AudienceRequest,
): PersonInAudience[] {
  return contactsOf(tables, workspaceId)
    .filter(({ id }) => among === null || among.includes(id))
    .flatMap((contact) => {
      const through = throughOf(contact, { tables, audience });
      const { id, name, email, phone } = contact;
      return through === undefined ? [] : [{ id, name, email, phone, through }];
    })
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .slice(0, limit);
}

// The runs have rules over tags and values alone.
const noFields = { language: null, timezone: null, preferred_channel: null };

/** The most particular way in which a contact belongs to an audience. */
function throughOf(
  contact: ContactRow,
  { tables, audience }: { tables: Tables; audience: AudienceRequest['audience'] },
): string | undefined {
  if (audience.contacts?.includes(contact.id) === true) return 'contact';
  const groups = (audience.groups ?? []).flatMap((id) => tables.groups.get(id) ?? []);
  const [group] = groups
    .filter(({ workspace_id: id, rule }) => id === contact.workspace_id && meetsRule({ ...contact, ...noFields }, rule))
    .map(({ name }) => `group ${name}`)
    .sort();
  if (group !== undefined) return group;
  const tags = (audience.tags ?? [])
    .toSorted()
    .filter((tag, at, all) => all.findIndex((one) => matchKey(one) === matchKey(tag)) === at);
  const tag = tags.find((one) => hasTag(contact, one));
  if (tag !== undefined) return `tag ${tag}`;
  return audience.everyone === true ? 'everyone' : undefined;
}
