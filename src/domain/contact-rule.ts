import { type Audience, matchKey } from '#contract/audience.ts';
import { type GroupCondition, type GroupRule, ruledFields } from '#contract/contact-groups.ts';

/** The parts of a contact that rules look at. */
export type RuledContact = {
  tags: readonly string[];
  variables: Readonly<Record<string, string>>;
  language: string | null;
  timezone: string | null;
  preferred_channel: string | null;
};

/** Whether a contact meets a group's rule: `contacts_of_rule` of the database, in TypeScript. */
export function meetsRule(contact: RuledContact, { match, conditions }: GroupRule): boolean {
  const isMet = (condition: GroupCondition) => meetsCondition(contact, condition);
  return match === 'any' ? conditions.some(isMet) : conditions.every(isMet);
}

function meetsCondition(contact: RuledContact, condition: GroupCondition): boolean {
  switch (condition.test) {
    case 'has_tag':
      return hasTag(contact, condition.tag);
    case 'lacks_tag':
      return !hasTag(contact, condition.tag);
    case 'is':
      return valueOf(contact, condition.variable) === matchKey(condition.value);
    case 'is_not':
      return valueOf(contact, condition.variable) !== matchKey(condition.value);
    case 'contains':
      return valueOf(contact, condition.variable)?.includes(matchKey(condition.value)) === true;
    default:
      return condition satisfies never;
  }
}

export const hasTag = ({ tags }: Pick<RuledContact, 'tags'>, tag: string): boolean =>
  tags.some((own) => matchKey(own) === matchKey(tag));

/** The value of a field or a variable: a field goes first, and of several names that are the same variable, the alphabetically last counts. */
function valueOf({ variables, ...contact }: RuledContact, name: string): string | undefined {
  const field = ruledFields.find((own) => nameKey(own) === nameKey(name));
  const ofField = field === undefined ? null : contact[field];
  if (ofField !== null) return matchKey(ofField);
  const [found] = Object.keys(variables)
    .filter((own) => nameKey(own) === nameKey(name))
    .toSorted()
    .reverse();
  return found === undefined ? undefined : matchKey(variables[found] ?? '');
}

const nameKey = (name: string) => name.toLowerCase().replaceAll('_', '');

/** A contact with what decides whether it belongs to an audience. */
export type AudienceContact = RuledContact & { id: string };

/**
 * What makes a contact part of an audience, the narrowest reason first, as the database function `audience_of` returns it; null when it is not part
 * of it.
 * @param groups the groups of which the contact meets the rule
 */
export function membershipIn(
  audience: Audience,
  { contact, groups }: { contact: AudienceContact; groups: readonly { id: string; name: string }[] },
): string | null {
  if (audience.contacts?.includes(contact.id) === true) return 'contact';
  const [group] = groups
    .filter(({ id }) => audience.groups?.includes(id) === true)
    .map(({ name }) => name)
    .toSorted();
  if (group !== undefined) return `group ${group}`;
  const tag = audience.tags?.find((named) => hasTag(contact, named));
  if (tag !== undefined) return `tag ${tag}`;
  return audience.everyone === true ? 'everyone' : null;
}
