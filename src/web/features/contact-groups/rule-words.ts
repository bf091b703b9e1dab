import { listed } from '#domain/in-words.ts';
import { preferableChannels } from '#contract/contacts.ts';
import { languageTag } from '#contract/languages.ts';
import { languageInWords } from '#web/features/contacts/language-choices.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { type GroupCondition, type GroupRule, type RuledField, ruledFields } from '#contract/contact-groups.ts';

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
      return `${subjectWords(condition.variable)} ${valueTests[condition.test]} ${valueWords(condition)}`;
    default:
      return condition satisfies never;
  }
}

/** What a condition asks for: the title of a field, or the name of a value. */
export const subjectWords = (name: string): string => {
  const field = ruledFields.find((own) => own === name);
  return field === undefined ? name : fieldWords[field];
};

function valueWords({ variable, test, value }: Extract<GroupCondition, { variable: string }>): string {
  const channel = variable === 'preferred_channel' && preferableChannels.find((own) => own === value);
  if (channel) return channelLooks[channel].name;
  return variable === 'language' && test !== 'contains' && languageTag(value) !== null ? languageInWords(value) : value;
}

export const fieldWords: Record<RuledField, string> = {
  language: 'Language',
  timezone: 'Timezone',
  preferred_channel: 'Preferred channel',
};

export const valueTests = { is: 'is', is_not: 'is not', contains: 'contains' } as const;
export const tagTests = { has_tag: 'is', lacks_tag: 'is not' } as const;

/** `Anna, Ben, Cleo and 185 more` */
export function peopleText(people: number, names: readonly string[]): string {
  const more = people - names.length;
  if (more > 0) return `${names.join(', ')} and ${more.toLocaleString('en')} more`;
  return listed(names);
}
