import { randomUUIDv7 } from 'node:crypto';
import { isDeepStrictEqual } from 'node:util';
import { audienceLimits, matchKey, withoutTwice } from '#contract/audience.ts';
import type { ImportRow } from '#contract/contact-imports.ts';
import { type Contact, contactLimits } from '#contract/contacts.ts';
import { variableKey } from '#contract/variable-name.ts';
import { contactFieldTitles, writtenFieldsOf } from '#domain/contact-fields.ts';
import { nameAfter, wholeName } from '#domain/person-name.ts';
import { type ContactFields, contactEmailKey, type NewContact } from '#features/contacts/contacts.db.ts';
import { type Entry, noFields } from '#features/contacts/import-rows.ts';
import { endFullSlice, mapInSlices, sliceSize } from '#platform/in-slices.ts';

export type Decisions = { created: NewContact[]; updated: NewContact[]; rows: ImportRow[] };

/**
 * Decides what an import does with each entry. A contact is found by address or number; values of the entry replace stored ones, blank values keep
 * them. An entry that repeats an earlier one fills in what that left blank. One of another person keeps of what they share nothing, and is left out
 * if it has nothing of its own, as is an invalid one.
 * @param joinLines lines that are the same person as the one whose address or number they have, whatever the names are
 */
export async function decideEntries(
  entries: readonly Entry[],
  { known, joinLines }: { known: readonly Contact[]; joinLines: ReadonlySet<number> },
): Promise<Decisions> {
  const byEmail = new Map(known.map((contact) => [contactEmailKey(contact), contact]));
  const byPhone = new Map(known.map((contact) => [contact.phone, contact]));
  const people: Person[] = [];
  const byKey = new Map<string, Person>();
  const rows: ((results: ReadonlyMap<Person, ImportRow['result']>) => ImportRow)[] = [];
  /** The earlier person of the file with an address or number, also through the contact that has it. */
  const earlierWith = (key: string | null, contact: Contact | undefined): Person | undefined =>
    key === null ? undefined : (byKey.get(key) ?? (contact && byKey.get(contact.id)));

  const slice = { size: 0 };
  for (const { line, fields: written, problems: found, left: unusable } of entries) {
    if (slice.size >= sliceSize) await endFullSlice(slice);
    slice.size += 1;
    const problems = [...found];
    const left: ImportRow['problems'] = [];
    const refuse = (message: string) => void problems.push({ code: 'unusable_line', column: null, message });
    const fields = { ...written };
    const name = wholeName(fields);
    let sharesWith: Person | undefined;
    for (const field of found.length === 0 ? (['email', 'phone'] as const) : []) {
      const key = field === 'email' ? contactEmailKey(fields) : fields.phone;
      const person = earlierWith(key, (field === 'email' ? byEmail : byPhone).get(key));
      if (person === undefined || isSame(person, written)) continue;
      sharesWith ??= person;
      if (joinLines.has(line)) continue;
      left.push({ code: 'other_person', column: null, message: sharedMessage({ field, person }) });
      fields[field] = null;
    }
    if (left.length > 0 && fields.email === null && fields.phone === null) problems.push(...left.splice(0));
    left.push(...unusable);
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
    else if (first !== undefined && contact !== undefined && contact !== first.contact && hasOther(first, fields))
      refuse(`Is the same contact as line ${first.line}, and as the contact ${displayNameOf(contact)}`);
    const said = first === undefined ? fields : mergedOf(fields, first.said);
    const stored = contact ?? first?.contact;
    const merged = stored === undefined ? { ...said, name: wholeName(said) } : mergedOf(writtenFieldsOf(stored), said);
    if (Object.keys(merged.variables).length > contactLimits.variables)
      refuse(`The contact would have more than ${contactLimits.variables} own values`);
    if ((merged.tags?.length ?? 0) > audienceLimits.tagsOfContact)
      refuse(`The contact would have more than ${audienceLimits.tagsOfContact} tags`);
    const shown = { line, name, email: written.email, phone: written.phone, shares_with: sharesWith?.line ?? null };
    if (problems.length > 0) {
      rows.push(() => ({ ...shown, result: 'failed', problems: [...problems, ...left], notes: [] }));
      continue;
    }
    if (first !== undefined) {
      const others = otherValues(first.said, fields);
      if (others.length > 0) left.push({ code: 'other_value', column: null, message: staysMessage(first, others) });
    }
    const person = first ?? newPerson({ line, said, fields: merged });
    person.contact = stored;
    person.id = stored?.id ?? person.id;
    person.said = said;
    person.fields = merged;
    person.written.email ??= contactEmailKey(written);
    person.written.phone ??= written.phone;
    const known = name ?? stored?.name ?? null;
    if (known !== null) person.names.add(nameKey(known));
    if (first === undefined) people.push(person);
    for (const key of keys) byKey.set(key, person);
    rows.push(
      first === undefined
        ? (results) => ({
            ...shown,
            ...shownOf(person),
            result: results.get(person) ?? 'unchanged',
            problems: left,
            notes: renamingOf(person),
          })
        : () => ({
            ...shown,
            ...(name === null && shownOf(person)),
            result: 'joined',
            problems: left,
            notes: [{ code: 'joined', message: `Joined with ${inWords(person)}` }],
          }),
    );
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

type Person = {
  id: string;
  /** The first one of the person. */
  line: number;
  names: Set<string>;
  /** The first address and number of the lines, also where another person has them. */
  written: { email: string | null; phone: string | null };
  /** The one that exists already. */
  contact: Contact | undefined;
  /** What the lines said so far. */
  said: ContactFields;
  /** The contact that results. */
  fields: ContactFields;
};

const newPerson = (of: Pick<Person, 'line' | 'said' | 'fields'>): Person => ({
  ...of,
  id: randomUUIDv7(),
  names: new Set(),
  written: { email: null, phone: null },
  contact: undefined,
});

/**
 * Whether a line with the address or number of a person is about the same one: the names agree or, where one of them has none, no other address or
 * number contradicts, as it does for two people with one phone.
 */
function isSame(person: Person, fields: ContactFields): boolean {
  const name = wholeName(fields);
  const key = name === null ? '' : nameKey(name);
  if (key !== '' && person.names.has(key)) return true;
  const isNamed = [...person.names].some((known) => known !== '');
  return !(key !== '' && isNamed) && !hasOther(person, fields);
}

function hasOther({ written }: Person, { email, phone }: Pick<ContactFields, 'email' | 'phone'>): boolean {
  const key = contactEmailKey({ email });
  return (
    (key !== null && written.email !== null && key !== written.email) ||
    (phone !== null && written.phone !== null && phone !== written.phone)
  );
}

/** Names are compared without case, accents and marks, in any order of their words: `Smith, Anna` is `Anna Smith`. */
const nameKey = (name: string): string =>
  matchKey(name.replaceAll(/[ßẞ]/g, 'ss'))
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== '')
    .toSorted()
    .join(' ');

const inWords = ({ line, fields: { name } }: Person): string =>
  name === null ? `line ${line}` : `line ${line}, ${name}`;

const sharedMessage = ({ field, person }: { field: 'email' | 'phone'; person: Person }): string =>
  `Its ${field === 'email' ? 'address' : 'number'} is that of ${inWords(person)}, and stays with that person`;

const staysMessage = ({ line }: Person, others: readonly string[]): string =>
  `Left out, because line ${line} says otherwise: ${others.join(', ')}`;

/** What a line says otherwise than the earlier ones of the same person, by title. */
function otherValues(said: ContactFields, fields: ContactFields): string[] {
  const { name, email, variables } = fields;
  const own = spelledAs(said.variables, variables);
  const isOther = (known: string | null | undefined, value: string | null | undefined) =>
    known !== null && known !== undefined && value !== null && value !== undefined && known !== value;
  return [
    ...(name !== null && said.name !== null && nameKey(name) !== nameKey(said.name) ? [contactFieldTitles.name] : []),
    ...(isOther(contactEmailKey(said), contactEmailKey({ email })) ? [contactFieldTitles.email] : []),
    ...comparedFields.filter((field) => isOther(said[field], fields[field])).map((field) => contactFieldTitles[field]),
    ...Object.keys(own).filter((key) => isOther(said.variables[key], own[key])),
  ];
}

const comparedFields = [
  'first_name',
  'last_name',
  'salutation',
  'phone',
  'timezone',
  'language',
  'preferred_channel',
  'paused_until',
  'note',
] as const satisfies (keyof ContactFields)[];

/** A file may hold somebody else's name for an address that a contact has. */
function renamingOf({ contact, fields }: Person): ImportRow['notes'] {
  const [before, after] = [contact?.name ?? null, fields.name];
  if (before === null || after === null || nameKey(before) === nameKey(after)) return [];
  return [{ code: 'renamed', message: `Is the contact ${before} so far, and gets this name` }];
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
