import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { z } from 'zod';
import { audienceLimits, withoutTwice } from '#contract/audience.ts';
import type { ContactSort } from '#contract/contact-sorts.ts';
import {
  type Contact,
  type ContactField,
  type ContactFilter,
  type ContactInput,
  type PreferableChannel,
  contactLimits,
  type ContactSelection,
} from '#contract/contacts.ts';
import type { FieldError } from '#contract/errors.ts';
import { variableKey } from '#contract/variable-name.ts';
import { counted } from '#domain/in-words.ts';
import { nameInActs } from '#domain/masked-address.ts';
import { followsParts, joinedName, wholeName } from '#domain/person-name.ts';
import { e164, notANumber } from '#delivery/phone.ts';
import { countMatching, FieldPosition, findContacts } from '#features/contacts/contact-lists.db.ts';
import * as rows from '#features/contacts/contacts.db.ts';
import { diallingOf } from '#features/contacts/dialling.service.ts';
import { announce } from '#platform/changes.ts';
import { recordAct } from '#platform/audit.ts';
import { personOf, type TenantContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { Conflict, Invalid, NotFound, Unprocessable } from '#platform/errors.ts';
import { pageOf } from '#platform/page.ts';

const Name = z
  .string()
  .max(200)
  .refine((text) => !text.includes('\0'));

const keys = {
  name: Name,
  '-name': Name,
  last_name: FieldPosition,
  '-last_name': FieldPosition,
  language: FieldPosition,
  '-language': FieldPosition,
  created: Name,
  '-created': Name,
} satisfies Record<ContactSort, z.ZodType<string>>;

/** A page of the contacts that match, by name unless another order is asked for. Throws Invalid for a cursor of another order. */
export async function listContacts(
  ctx: TenantContext,
  { sort = 'name', ...query }: ContactFilter & { sort?: ContactSort; cursor?: string; limit: number },
) {
  const { workspaceId } = ctx;
  const after = decodeCursor(query.cursor, keys[sort]);
  const page = pageOf(await findContacts(ctx.db, { ...query, sort, workspaceId, after }), { at: (row) => row.at });
  return { ...page, data: page.data.map(({ at: _, ...contact }): Contact => contact) };
}

/** How many contacts match. */
export const countContacts = ({ db, workspaceId }: TenantContext, filter: ContactFilter): Promise<number> =>
  countMatching(db, { ...filter, workspaceId });

/** Throws NotFound. */
export async function getContact({ db, workspaceId }: TenantContext, id: string): Promise<Contact> {
  const found = await rows.findContact(db, { workspaceId, id });
  if (found === undefined) throw new NotFound('contact');
  return found;
}

const namesShown = 200;

/** The names of the contacts' own values, with one spelling of each. */
export async function listVariableNames(ctx: TenantContext): Promise<string[]> {
  const names = await rows.findVariableNames(ctx.db, { workspaceId: ctx.workspaceId, limit: 2 * namesShown });
  return [...new Map(names.map((name) => [variableKey(name), name])).values()].slice(0, namesShown);
}

export async function createContact(ctx: TenantContext, input: ContactInput): Promise<Contact> {
  const fields = await fieldsOf(ctx, input);
  await assertFree(ctx, { fields, except: null });
  const id = randomUUIDv7();
  const { workspaceId } = ctx;
  const now = ctx.now.toString();
  await rows.insertContacts(ctx.db, { workspaceId, createdBy: personOf(ctx.actor), now, rows: [{ id, fields }] });
  await announce(ctx, ['contacts']);
  const created = await rows.findContact(ctx.db, { workspaceId, id });
  if (created === undefined) throw new Error('a contact that was just written is not there');
  if (isManual(ctx))
    await recordAct(ctx, { action: 'contacts.added', target: id, details: { name: nameInActs(created) } });
  return created;
}

export async function updateContact(
  ctx: TenantContext,
  { id, input }: { id: string; input: ContactInput },
): Promise<Contact> {
  const fields = await fieldsOf(ctx, input);
  await assertFree(ctx, { fields, except: id });
  const { workspaceId } = ctx;
  const before = await rows.findContact(ctx.db, { workspaceId, id });
  if (before === undefined) throw new NotFound('contact');
  // A name that was that of its parts is sent back as it was by who changed one of these.
  const isSentBack = input.name === before.name && followsParts(before);
  const name = isSentBack ? (joinedName(fields) ?? fields.name) : fields.name;
  const now = ctx.now.toString();
  const updated = await rows.updateContactRow(ctx.db, { workspaceId, id, now, fields: { ...fields, name } });
  if (updated === undefined) throw new NotFound('contact');
  const changed = isManual(ctx) ? partsChanged(before, updated) : [];
  if (changed.length > 0)
    await recordAct(ctx, {
      action: 'contacts.changed',
      target: id,
      details: { name: nameInActs(updated), fields: changed.join(', ') },
    });
  await announce(ctx, ['contacts']);
  return updated;
}

/** Writes which channel is tried first for a contact, as the person has chosen it; null for none. */
export async function preferChannel(
  { db, workspaceId }: Pick<TenantContext, 'db' | 'workspaceId'>,
  of: { id: string; channel: PreferableChannel | null; now: string },
): Promise<void> {
  await rows.updatePreferredChannel(db, { workspaceId, ...of });
  await announce({ db, workspaceId }, ['contacts']);
}

/** Writes until which day reminders to a contact are paused; null ends the pause. Throws NotFound. */
export async function setPause(
  ctx: TenantContext,
  { id, until }: { id: string; until: string | null },
): Promise<Contact> {
  const { workspaceId } = ctx;
  await rows.updatePause(ctx.db, { workspaceId, id, until, now: ctx.now.toString() });
  await announce(ctx, ['contacts']);
  return getContact(ctx, id);
}

/** Until which day reminders are or were paused to those of these contacts to whom they are. */
export async function pausesAmong(
  { db, workspaceId }: TenantContext,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Pick<Contact, 'paused_until' | 'timezone'>>> {
  const found = ids.length === 0 ? [] : await rows.findPaused(db, { workspaceId, ids });
  return new Map(found.map(({ id, ...pause }) => [id, pause]));
}

/** What programs write is in the jobs of their keys: an account of each of their changes would bury those of people. */
const isManual = ({ actor }: TenantContext): boolean => actor.kind === 'user';

const partsOf = {
  name: 'name',
  first_name: 'first name',
  last_name: 'last name',
  salutation: 'salutation',
  language: 'language',
  preferred_channel: 'preferred channel',
  paused_until: 'pause of reminders',
  note: 'note',
  email: 'address',
  phone: 'number',
  timezone: 'timezone',
  variables: 'values',
  tags: 'tags',
} as const satisfies Record<ContactField, string>;

const partsChanged = (before: Contact, after: Contact): string[] =>
  Object.keys(partsOf)
    .filter((part): part is keyof typeof partsOf => part in partsOf)
    .filter((part) => !isDeepStrictEqual(before[part], after[part]))
    .map((part) => partsOf[part]);

export async function deleteContact(ctx: TenantContext, id: string): Promise<void> {
  if ((await deleteContacts(ctx, { ids: [id] })) === 0) throw new NotFound('contact');
}

/** Deletes contacts, and returns how many. Throws Unprocessable for too many, and Conflict when there are not as many as the caller expects. */
export async function deleteContacts(ctx: TenantContext, selection: ContactSelection): Promise<number> {
  const { db, workspaceId } = ctx;
  await rows.lockContacts(db, ctx);
  const { numDeletedRows } = await rows.deleteContactRows(db, { workspaceId, of: await boundedBy(ctx, selection) });
  const contacts = Number(numDeletedRows);
  if (contacts === 0) return 0;
  await announce(ctx, ['contacts']);
  const [only, ...others] = selection.ids ?? [];
  await recordAct(ctx, {
    action: 'contacts.deleted',
    target: only !== undefined && others.length === 0 ? only : workspaceId,
    details: { contacts, ...(selection.matching && { matching: JSON.stringify(selection.matching) }) },
  });
  return contacts;
}

/**
 * Adds and removes tags of the selected contacts. Throws Unprocessable for too many, and Conflict when there are not as many as the caller expects.
 */
export async function tagContacts(
  ctx: TenantContext,
  { contacts, add, remove }: { contacts: ContactSelection; add: readonly string[]; remove: readonly string[] },
): Promise<{ changed: number; full: number; ids: string[] }> {
  const { db, workspaceId } = ctx;
  await rows.lockContacts(db, ctx);
  const of = await boundedBy(ctx, contacts);
  const answer = await rows.changeTags(db, {
    workspaceId,
    add: withoutTwice(add),
    remove,
    of,
    most: audienceLimits.tagsOfContact,
    now: ctx.now.toString(),
  });
  if (answer.ids.length > 0) {
    const [only, ...others] = answer.ids;
    await recordAct(ctx, {
      action: 'contacts.tagged',
      target: only !== undefined && others.length === 0 ? only : workspaceId,
      details: {
        contacts: counted(answer.ids.length, 'contact'),
        ...(add.length > 0 && { added: add.join(', ') }),
        ...(remove.length > 0 && { removed: remove.join(', ') }),
      },
    });
    await announce(ctx, ['contacts']);
  }
  return { ...answer, changed: answer.ids.length };
}

/** The selected contacts. Throws when they are too many for one change, or not as many as the caller saw. */
async function boundedBy(
  { db, workspaceId }: TenantContext,
  { ids, matching = {}, expected }: ContactSelection,
): Promise<rows.Chosen> {
  if (ids !== undefined) return { ids };
  const most = contactLimits.selection;
  const count = await countMatching(db, { workspaceId, ...matching, most });
  if (count > most)
    throw new Unprocessable(`These are more than ${most.toLocaleString('en')} contacts: choose fewer at a time`);
  if (expected !== undefined && count !== expected) throw new Conflict(otherNumber({ count, expected }));
  return { matching };
}

function otherNumber({ count, expected }: { count: number; expected: number }): string {
  const match = count === 1 ? '1 contact matches' : `${count.toLocaleString('en')} contacts match`;
  return `${match} by now, not ${expected.toLocaleString('en')}: nothing was changed`;
}

export const listTags = ({ db, workspaceId }: TenantContext) =>
  rows.findTags(db, { workspaceId, limit: contactLimits.listedTags });

async function fieldsOf(
  ctx: TenantContext,
  { default_country: country, ...given }: ContactInput,
): Promise<rows.ContactFields> {
  const input = { ...given, name: wholeName(given) };
  const email = input.email?.toLowerCase() ?? null;
  if (input.phone === null) return { ...input, email };
  const phone = e164(input.phone, await diallingOf(ctx, { country }));
  if (phone === null) throw new Invalid([{ path: 'phone', message: notANumber(input.phone) }]);
  return { ...input, email, phone };
}

/** Throws when another contact has the address or number: a message must know whose values to use. */
async function assertFree(
  ctx: TenantContext,
  { fields: { email, phone }, except }: { fields: rows.ContactFields; except: string | null },
): Promise<void> {
  await rows.lockContacts(ctx.db, ctx);
  const { workspaceId } = ctx;
  const key = rows.contactEmailKey({ email });
  const holders = await rows.findByAddresses(ctx.db, {
    workspaceId,
    emailKeys: key === null ? [] : [key],
    phones: phone === null ? [] : [phone],
  });
  const taken = holders
    .filter((holder) => holder.id !== except)
    .map((holder): FieldError => {
      const displayName = holder.name ?? holder.email ?? holder.phone ?? '';
      return key !== null && rows.contactEmailKey(holder) === key
        ? { path: 'email', message: `This is the email address of the contact ${displayName}` }
        : { path: 'phone', message: `This is the number of the contact ${displayName}` };
    });
  const [first] = taken;
  if (first !== undefined) throw new Conflict(first.message, taken);
}
