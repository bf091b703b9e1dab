import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { audienceLimits, withoutTwice } from '#contract/audience.ts';
import type { ImportRow } from '#contract/contact-imports.ts';
import { type Contact, contactLimits } from '#contract/contacts.ts';
import { variableKey } from '#contract/variable-name.ts';
import { writtenFieldsOf } from '#domain/contact-fields.ts';
import { nameAfter, wholeName } from '#domain/person-name.ts';
import { type ContactFields, contactEmailKey, type NewContact } from '#features/contacts/contacts.db.ts';
import { type Entry, noFields } from '#features/contacts/import-rows.ts';
import { endFullSlice, mapInSlices, sliceSize } from '#platform/in-slices.ts';

export type Decisions = { created: NewContact[]; updated: NewContact[]; rows: ImportRow[] };

/**
 * Decides what an import does with each entry. A contact is found by address or number; values of the entry replace stored ones, blank values keep
 * them. An entry that repeats an earlier one fills in what that left blank. An invalid one is left out.
 */
export async function decideEntries(entries: readonly Entry[], known: readonly Contact[]): Promise<Decisions> {
  const byEmail = new Map(known.map((contact) => [contactEmailKey(contact), contact]));
  const byPhone = new Map(known.map((contact) => [contact.phone, contact]));
  const people: Person[] = [];
  const byKey = new Map<string, Person>();
  const rows: ((results: ReadonlyMap<Person, ImportRow['result']>) => ImportRow)[] = [];

  const slice = { size: 0 };
  for (const { line, fields, problems: found, left } of entries) {
    if (slice.size >= sliceSize) await endFullSlice(slice);
    slice.size += 1;
    const problems = [...found];
    const refuse = (message: string) => void problems.push({ column: null, message });
    const { phone } = fields;
    const email = contactEmailKey(fields);
    const owner = email === null ? undefined : byEmail.get(email);
    const dialled = phone === null ? undefined : byPhone.get(phone);
    const contact = owner ?? dialled;
    const keys = [email, phone, contact?.id].filter((key) => key !== null && key !== undefined);
    const [first, second] = [...new Set(keys.flatMap((key) => byKey.get(key) ?? []))];
    if (owner !== undefined && dialled !== undefined && owner.id !== dialled.id)
      refuse(`The address belongs to the contact ${displayNameOf(owner)}, the number to ${displayNameOf(dialled)}`);
    else if (first !== undefined && second !== undefined)
      refuse(`Is the same contact as line ${first.line}, and as line ${second.line}`);
    else if (first !== undefined && isOther(first, { email, phone }))
      refuse(`Has the address or the number of line ${first.line}, and another one beside it`);
    const said = first === undefined ? fields : mergedOf(fields, first.said);
    const stored = contact ?? first?.contact;
    const merged = stored === undefined ? { ...said, name: wholeName(said) } : mergedOf(writtenFieldsOf(stored), said);
    if (Object.keys(merged.variables).length > contactLimits.variables)
      refuse(`The contact would have more than ${contactLimits.variables} own values`);
    if ((merged.tags?.length ?? 0) > audienceLimits.tagsOfContact)
      refuse(`The contact would have more than ${audienceLimits.tagsOfContact} tags`);
    if (problems.length > 0) {
      const name = wholeName(fields);
      rows.push(() => ({ line, result: 'failed', name, email: fields.email, phone, problems: [...problems, ...left] }));
      continue;
    }
    const person = first ?? { id: randomUUIDv7(), line, contact: stored, said, fields: merged };
    person.contact = stored;
    person.id = stored?.id ?? person.id;
    person.said = said;
    person.fields = merged;
    if (first === undefined) people.push(person);
    for (const key of keys) byKey.set(key, person);
    const joined = { column: null, message: `Joined with line ${person.line}` };
    rows.push((results) => ({
      line,
      result: first === undefined ? (results.get(person) ?? 'unchanged') : 'joined',
      ...shownOf(person),
      problems: first === undefined ? left : [joined, ...left],
    }));
  }
  const results = new Map(await mapInSlices(people, (person) => [person, resultOf(person)] as const, { slice }));
  const withResult = (result: ImportRow['result']): NewContact[] =>
    people.filter((one) => results.get(one) === result).map(({ id, fields }) => ({ id, fields }));
  return {
    created: withResult('created'),
    updated: withResult('updated'),
    // Computed last: the result of a line depends on all of its duplicates.
    rows: rows.map((row) => row(results)),
  };
}

/** A person of the file: the existing contact, what the lines said so far, and the contact that results. */
type Person = { id: string; line: number; contact: Contact | undefined; said: ContactFields; fields: ContactFields };

/**
 * Whether a line with the same address or number is another person, because its other address or number differs, as for two people with one phone.
 */
function isOther({ said: fields }: Person, { email, phone }: { email: string | null; phone: string | null }): boolean {
  const known = contactEmailKey(fields);
  return (
    (email !== null && known !== null && email !== known) ||
    (phone !== null && fields.phone !== null && phone !== fields.phone)
  );
}

const shownOf = ({ fields: { name, email, phone } }: Person) => ({ name, email, phone });

function resultOf({ contact, fields }: Person): 'created' | 'updated' | 'unchanged' {
  if (contact === undefined) return 'created';
  return isDeepStrictEqual(fields, mergedOf(writtenFieldsOf(contact), { ...noFields, variables: {} }))
    ? 'unchanged'
    : 'updated';
}

function mergedOf(known: ContactFields, said: ContactFields): ContactFields {
  const merged = {
    first_name: said.first_name ?? known.first_name,
    last_name: said.last_name ?? known.last_name,
    salutation: said.salutation ?? known.salutation,
    language: said.language ?? known.language,
    preferred_channel: said.preferred_channel ?? known.preferred_channel,
    paused_until: said.paused_until ?? known.paused_until,
    note: said.note ?? known.note,
    email: said.email ?? known.email,
    phone: said.phone ?? known.phone,
    timezone: said.timezone ?? known.timezone,
    variables: { ...known.variables, ...spelledAs(known.variables, said.variables) },
    tags: withoutTwice([...(known.tags ?? []), ...(said.tags ?? [])]),
  };
  return { ...merged, name: nameAfter(known, { said, merged }) };
}

/** Renames values to the spelling that the contact has for them already. */
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
