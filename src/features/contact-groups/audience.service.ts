import { type Audience, audienceLimits, isAudience } from '#contract/audience.ts';
import type { GroupRule } from '#contract/contact-groups.ts';
import type { PersonInAudience } from '#domain/audience-targets.ts';
import { meetsRule, type RuledContact } from '#domain/contact-rule.ts';
import * as rows from '#features/contact-groups/contact-groups.db.ts';
import type { TenantContext } from '#platform/context.ts';
import { Invalid } from '#platform/errors.ts';

const namesShown = 3;

/** How many people an audience or an unsaved rule has now, with the names of the first. */
export async function describePeople(
  { db, workspaceId }: TenantContext,
  { audience = {}, rule }: { audience?: Audience | undefined; rule?: GroupRule | undefined },
): Promise<{ people: number; names: string[] }> {
  const names = namesShown;
  if (rule !== undefined) return rows.describeRule(db, { workspaceId, rule, names });
  return rows.describeAudience(db, { workspaceId, audience, names });
}

/** How many people an audience has now. */
export const countPeople = ({ db, workspaceId }: TenantContext, { audience }: { audience: Audience }) =>
  rows.countPeople(db, { ...audience, workspaceId });

/** The contacts picked in an audience that still exist, with their names. */
export async function pickedContacts({ db, workspaceId }: TenantContext, audience: Audience | undefined) {
  const ids = audience?.contacts ?? [];
  return ids.length === 0 ? [] : rows.findNames(db, { workspaceId, ids });
}

/** The groups whose rule a contact meets, by name. */
export async function groupsOf(ctx: TenantContext, contact: RuledContact): Promise<{ id: string; name: string }[]> {
  const [found] = await withGroups(ctx, [contact]);
  return found?.groups ?? [];
}

/** Contacts, each with the groups whose rule it meets, by name. */
export async function withGroups<Contact extends RuledContact>(
  { db, workspaceId }: TenantContext,
  contacts: readonly Contact[],
): Promise<(Contact & { groups: { id: string; name: string }[] })[]> {
  const all = await rows.findGroups(db, { workspaceId });
  return contacts.map((contact) => ({
    ...contact,
    groups: all.filter(({ rule }) => meetsRule(contact, rule)).map(({ id, name }) => ({ id, name })),
  }));
}

/** The people of an audience now; null when they are more than one occurrence is sent to. */
export async function peopleOf(
  { db, workspaceId }: TenantContext,
  audience: Audience,
): Promise<PersonInAudience[] | null> {
  const people = await rows.findPeople(db, { ...audience, workspaceId, limit: audienceLimits.people + 1 });
  return people.length > audienceLimits.people ? null : people;
}

/** Refuses groups and contacts of other workspaces. Those that the reminder had before may be deleted: they add nobody, and a warning says so. */
export async function assertAudience(
  ctx: TenantContext,
  { audience, before }: { audience: Audience | undefined; before?: Audience | undefined },
): Promise<void> {
  if (audience === undefined) return;
  const [groups, contacts] = [audience.groups ?? [], audience.contacts ?? []];
  const known = new Set([...(before?.groups ?? []), ...(before?.contacts ?? [])]);
  if ([...groups, ...contacts].every((id) => known.has(id))) return;
  const found = await rows.findNamedBy(ctx.db, { workspaceId: ctx.workspaceId, groups, contacts });
  const lost = (ids: readonly string[], { field, noun }: { field: string; noun: string }) =>
    ids.flatMap((id, at) =>
      found.has(id) || known.has(id)
        ? []
        : [{ path: `metadata.audience.${field}.${at}`, message: `There is no such ${noun} in this workspace` }],
    );
  const missing = [
    ...lost(groups, { field: 'groups', noun: 'group' }),
    ...lost(contacts, { field: 'contacts', noun: 'contact' }),
  ];
  if (missing.length > 0) throw new Invalid(missing);
}

/** Warnings about deleted groups and contacts in the audience of each of these reminders. */
export async function audienceWarnings(
  { db, workspaceId }: TenantContext,
  audiences: readonly (Audience | undefined)[],
): Promise<string[][]> {
  const named = (field: 'groups' | 'contacts') => [
    ...new Set(audiences.flatMap((audience) => audience?.[field] ?? [])),
  ];
  const [groups, contacts] = [named('groups'), named('contacts')];
  if (groups.length + contacts.length === 0) return audiences.map(() => []);
  const found = await rows.findNamedBy(db, { workspaceId, groups, contacts });
  return audiences.map((audience) => {
    const gone = (field: 'groups' | 'contacts') => (audience?.[field] ?? []).filter((id) => !found.has(id)).length;
    return [...goneWarning(gone('groups'), 'group'), ...goneWarning(gone('contacts'), 'contact')];
  });
}

function goneWarning(count: number, noun: string): string[] {
  if (count === 0) return [];
  return [
    count === 1
      ? `A ${noun} to whom it is sent no longer exists`
      : `${count} ${noun}s to whom it is sent no longer exist`,
  ];
}

/** A warning when an audience has more people than one occurrence is sent to. */
export async function sizeWarning(ctx: TenantContext, audience: Audience | undefined): Promise<string[]> {
  if (!isAudience(audience)) return [];
  const people = await countPeople(ctx, { audience });
  if (people <= audienceLimits.people) return [];
  const most = audienceLimits.people.toLocaleString('en');
  return [
    `It will not be sent: its audience has ${people.toLocaleString('en')} people, and one occurrence is sent to ${most} at most`,
  ];
}
