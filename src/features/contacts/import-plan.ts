import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { audienceLimits, withoutTwice } from '#contract/audience.ts';
import { type Contact, contactLimits, type ImportRow } from '#contract/contacts.ts';
import { variableKey } from '#contract/variable-name.ts';
import { type ContactFields, contactEmailKey, type NewContact } from '#features/contacts/contacts.db.ts';
import type { Entry } from '#features/contacts/import-rows.ts';

export type Plan = { created: NewContact[]; updated: NewContact[]; rows: ImportRow[] };

/**
 * Decides what an import does with each entry. A contact is found by its address or its number; values in the entry
 * replace stored ones, blank values keep them. An entry that is invalid, or repeats an earlier one, is left out.
 */
export function planEntries(entries: readonly Entry[], known: readonly Contact[]): Plan {
  const byEmail = new Map(known.map((contact) => [contactEmailKey(contact), contact]));
  const byPhone = new Map(known.map((contact) => [contact.phone, contact]));
  const lines = new Map<string, number>();
  const changed = new Map<string, number>();
  const plan: Plan = { created: [], updated: [], rows: [] };

  for (const { line, fields, problems: found } of entries) {
    const problems = [...found];
    const refuse = (message: string) => void problems.push({ column: null, message });
    const { phone } = fields;
    const email = contactEmailKey(fields);
    const before = [email, phone].flatMap((key) => (key === null ? [] : (lines.get(key) ?? [])));
    const owner = email === null ? undefined : byEmail.get(email);
    const dialled = phone === null ? undefined : byPhone.get(phone);
    const same = owner ?? dialled;
    const first = before[0] ?? (same === undefined ? undefined : changed.get(same.id));
    if (first !== undefined) refuse(`Is the same contact as line ${first}`);
    else if (owner !== undefined && dialled !== undefined && owner.id !== dialled.id)
      refuse(`The address belongs to the contact ${displayNameOf(owner)}, the number to ${displayNameOf(dialled)}`);
    const merged = same === undefined ? fields : mergedOf(same, fields);
    if (Object.keys(merged.variables).length > contactLimits.variables)
      refuse(`The contact would have more than ${contactLimits.variables} own values`);
    if ((merged.tags?.length ?? 0) > audienceLimits.tagsOfContact)
      refuse(`The contact would have more than ${audienceLimits.tagsOfContact} tags`);
    const row = { line, name: merged.name, email: merged.email, phone: merged.phone, problems };
    if (problems.length > 0) {
      plan.rows.push({ ...row, result: 'failed' });
      continue;
    }
    for (const key of [email, phone]) if (key !== null) lines.set(key, line);
    if (same === undefined) {
      plan.created.push({ id: randomUUIDv7(), fields });
      plan.rows.push({ ...row, result: 'created' });
      continue;
    }
    changed.set(same.id, line);
    const isSame = isDeepStrictEqual(merged, mergedOf(same, { ...nothing, variables: {} }));
    if (!isSame) plan.updated.push({ id: same.id, fields: merged });
    plan.rows.push({ ...row, result: isSame ? 'unchanged' : 'updated' });
  }
  return plan;
}

const nothing = { name: null, email: null, phone: null, timezone: null };

const mergedOf = (known: Contact, said: ContactFields): ContactFields => ({
  name: said.name ?? known.name,
  email: said.email ?? known.email,
  phone: said.phone ?? known.phone,
  timezone: said.timezone ?? known.timezone,
  variables: { ...known.variables, ...spelledAs(known.variables, said.variables) },
  tags: withoutTwice([...known.tags, ...(said.tags ?? [])]),
});

/** A value that the contact has in another spelling keeps the contact's name for it. */
function spelledAs(known: ContactFields['variables'], said: ContactFields['variables']): ContactFields['variables'] {
  const names = new Map(Object.keys(known).map((name) => [variableKey(name), name]));
  return Object.fromEntries(
    Object.entries(said).map(([name, value]) => [
      Object.hasOwn(known, name) ? name : (names.get(variableKey(name)) ?? name),
      value,
    ]),
  );
}

const displayNameOf = ({ name, email, phone }: Contact) => name ?? email ?? phone ?? '';
