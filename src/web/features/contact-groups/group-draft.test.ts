import { expect, it } from 'vitest';
import type { ContactGroup } from '#contract/contact-groups.ts';
import { draftOf, groupOf } from './group-draft.ts';
import { peopleText, ruleText } from './rule-words.ts';

const rule: ContactGroup['rule'] = {
  match: 'all',
  conditions: [
    { test: 'is', variable: 'building', value: '12 Elm' },
    { test: 'lacks_tag', tag: 'moved out' },
  ],
};
const group: ContactGroup = {
  id: '',
  workspace_id: '',
  name: 'Tenants',
  rule,
  created_by: null,
  created_at: '',
  updated_at: '',
};

it('a group is the same after it was opened in the form', () => {
  expect(groupOf(draftOf(group))).toEqual({ group: { name: 'Tenants', rule } });
});

it('what is missing is told at its field', () => {
  const draft = draftOf(group);
  const blank = { ...draft, name: ' ', conditions: draft.conditions.map((one) => ({ ...one, text: ' ' })) };
  expect(groupOf(blank)).toEqual({
    errors: {
      name: 'Enter a name',
      'conditions.0.text': 'Enter a value',
      'conditions.1.text': 'A tag must not be blank',
    },
  });
});

it('rules and people read as a sentence', () => {
  expect(ruleText(rule)).toBe('building is 12 Elm and does not have the tag moved out');
  const ofFields: ContactGroup['rule'] = {
    match: 'all',
    conditions: [
      { test: 'is', variable: 'language', value: 'de' },
      { test: 'is_not', variable: 'preferred_channel', value: 'sms' },
      { test: 'is', variable: 'timezone', value: 'Europe/Berlin' },
    ],
  };
  expect(ruleText(ofFields)).toBe('Language is German and Preferred channel is not SMS and Timezone is Europe/Berlin');
  expect(ruleText({ ...rule, match: 'any' })).toBe('building is 12 Elm or does not have the tag moved out');
  expect([1, 2, 1_200].map((people) => peopleText(people, ['Anna', 'Ben'].slice(0, people)))).toEqual([
    'Anna',
    'Anna and Ben',
    'Anna, Ben and 1,198 more',
  ]);
});
