import { listed } from '#domain/in-words.ts';
import type { GroupCondition, GroupRule } from '#contract/contact-groups.ts';

/** `building is 12 Elm and has the tag tenant` */
export const ruleText = ({ match, conditions }: GroupRule): string =>
  conditions.map(conditionText).join(match === 'all' ? ' and ' : ' or ');

function conditionText(condition: GroupCondition): string {
  switch (condition.test) {
    case 'has_tag':
      return `has the tag ${condition.tag}`;
    case 'lacks_tag':
      return `does not have the tag ${condition.tag}`;
    case 'is':
    case 'is_not':
    case 'contains':
      return `${condition.variable} ${valueTests[condition.test]} ${condition.value}`;
    default:
      return condition satisfies never;
  }
}

export const valueTests = { is: 'is', is_not: 'is not', contains: 'contains' } as const;
export const tagTests = { has_tag: 'is', lacks_tag: 'is not' } as const;

/** `Anna, Ben, Cleo and 185 more` */
export function peopleText(people: number, names: readonly string[]): string {
  const more = people - names.length;
  if (more > 0) return `${names.join(', ')} and ${more.toLocaleString('en')} more`;
  return listed(names);
}
