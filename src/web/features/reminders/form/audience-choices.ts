import type { ComboboxItem, ComboboxParsedItem } from '@mantine/core';
import { type Audience, matchKey } from '#contract/audience.ts';

type Choices = { group: string; items: ComboboxItem[] }[];

export type Known = {
  /** The workspace's groups; undefined until they are loaded. */
  groups: readonly { id: string; name: string }[] | undefined;
  tags: readonly string[];
  /** The contacts that match what is typed. */
  found: readonly { id: string; name: string | null; email: string | null; phone: string | null }[];
  /** The contacts of the audience that exist. */
  picked: readonly { id: string; name: string }[];
};

const contacts = 'Contacts';
/** How many picked contacts are listed; more are one choice, `188 contacts`. */
const listedContacts = 20;
const areMany = ({ contacts: ids = [] }: Audience) => ids.length > listedContacts;

/** The choices of the field, with those that are chosen already, whose group, tag or contact may be gone. */
export function choicesOf(audience: Audience | undefined, { groups, tags, found, picked }: Known): Choices {
  const groupNames = new Map(groups?.map(({ id, name }) => [id, name]));
  for (const id of audience?.groups ?? [])
    if (!groupNames.has(id)) groupNames.set(id, groups === undefined ? 'A group' : 'A deleted group');
  const tagNames = new Map([...(audience?.tags ?? []), ...tags].map((tag) => [matchKey(tag), tag]));
  // The value is the tag in the audience's spelling.
  for (const tag of audience?.tags ?? []) tagNames.set(matchKey(tag), tag);
  const ids = audience?.contacts ?? [];
  const many = audience !== undefined && areMany(audience) ? new Set(ids) : null;
  const contactNames = new Map(
    [...found, ...picked]
      .filter(({ id }) => many === null || !many.has(id))
      .map((contact) => [contact.id, 'email' in contact ? nameOf(contact) : contact.name]),
  );
  if (many === null) for (const id of ids) if (!contactNames.has(id)) contactNames.set(id, 'A contact');
  const together = many === null ? [] : [{ value: 'contacts', label: `${many.size.toLocaleString('en')} contacts` }];
  return [
    { group: 'All contacts', items: [{ value: 'everyone', label: 'Everyone' }] },
    { group: 'Groups', items: itemsOf('group', groupNames) },
    { group: 'Tags', items: itemsOf('tag', new Map([...tagNames.values()].map((tag) => [tag, tag]))) },
    { group: contacts, items: [...together, ...itemsOf('contact', contactNames)] },
  ].filter(({ items }) => items.length > 0);
}

const itemsOf = (kind: string, names: ReadonlyMap<string, string>): ComboboxItem[] =>
  [...names].map(([id, label]) => ({ value: `${kind}:${id}`, label }));

const nameOf = ({ name, email, phone }: Known['found'][number]) => name ?? email ?? phone ?? '';

/** The choices whose name contains the text; contacts match already. */
export function matching(options: readonly ComboboxParsedItem[], search: string): ComboboxParsedItem[] {
  const key = matchKey(search);
  return options.flatMap((option): ComboboxParsedItem[] => {
    if (!('group' in option)) return [option];
    const items = option.group === contacts ? option.items : option.items.filter((item) => contains(item, key));
    return items.length === 0 ? [] : [{ ...option, items }];
  });
}

const contains = (item: string | ComboboxItem, key: string) =>
  matchKey(typeof item === 'string' ? item : item.label).includes(key);

export const valuesOf = (audience: Audience | undefined): string[] => [
  ...(audience?.everyone === true ? ['everyone'] : []),
  ...(audience?.groups ?? []).map((id) => `group:${id}`),
  ...(audience?.tags ?? []).map((tag) => `tag:${tag}`),
  ...(audience !== undefined && areMany(audience)
    ? ['contacts']
    : (audience?.contacts ?? []).map((id) => `contact:${id}`)),
];

/** The audience of the choices, which were made in `before`. Undefined when nothing is chosen. */
export function audienceOf(values: readonly string[], before?: Audience): Audience | undefined {
  if (values.length === 0) return undefined;
  const of = (kind: string) => {
    const ids = values.filter((value) => value.startsWith(`${kind}:`)).map((value) => value.slice(kind.length + 1));
    return ids.length === 0 ? undefined : ids;
  };
  const [groups, tags, added] = [of('group'), of('tag'), of('contact')];
  const picked = values.includes('contacts') ? [...(before?.contacts ?? []), ...(added ?? [])] : added;
  return {
    ...(values.includes('everyone') && { everyone: true }),
    ...(groups && { groups }),
    ...(tags && { tags }),
    ...(picked && { contacts: picked }),
  };
}
