import { matchKey } from '#contract/audience.ts';
import type { GroupCondition, GroupRule } from '#contract/contact-groups.ts';

/** What rules look at in a contact. */
export type RuledContact = { tags: readonly string[]; variables: Readonly<Record<string, string>> };

/** Whether a contact meets a group's rule: `contacts_by_rules` of the database, in TypeScript. */
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

/** Of several names that are the same, the last one by the alphabet counts. */
function valueOf({ variables }: RuledContact, name: string): string | undefined {
  const [found] = Object.keys(variables)
    .filter((own) => nameKey(own) === nameKey(name))
    .toSorted()
    .reverse();
  return found === undefined ? undefined : matchKey(variables[found] ?? '');
}

const nameKey = (name: string) => name.toLowerCase().replaceAll('_', '');
