/** Liquid syntax besides variables; each example can be inserted as it is. */
export const liquidHelp = [
  { example: '{{ name | default: "there" }}', says: 'another text where the variable has no value' },
  { example: '{{ name | capitalize }}', says: 'the first letter in upper case' },
  { example: '{{ name | upcase }}', says: 'all letters in upper case; downcase for lower case' },
  { example: '{{ note | truncate: 40 }}', says: 'no more than 40 characters' },
  { example: '{{ amount | times: 1.19 | round: 2 }}', says: 'arithmetic; also plus, minus and divided_by' },
  { example: '{{ due_date | date: "%d %b %Y" }}', says: 'a date in another format' },
  { example: '{% if amount %}Amount: {{ amount }}{% endif %}', says: 'only where the variable has a value' },
  { example: '{% if plan == "basic" %}…{% else %}…{% endif %}', says: 'one text or another' },
] as const;
