/** What the text can do besides naming a variable; each example can be put into it as it is. */
export const liquidHelp = [
  { example: '{{ name | default: "there" }}', says: 'another text where the variable has no value' },
  { example: '{{ name | capitalize }}', says: 'the first letter large' },
  { example: '{{ name | upcase }}', says: 'all letters large; downcase for small' },
  { example: '{{ note | truncate: 40 }}', says: 'no more than 40 characters' },
  { example: '{{ amount | times: 1.19 | round: 2 }}', says: 'reckoned; also plus, minus and divided_by' },
  { example: '{{ due_date | date: "%d %b %Y" }}', says: 'a date in another form' },
  { example: '{% if amount %}Amount: {{ amount }}{% endif %}', says: 'only where the variable has a value' },
  { example: '{% if plan == "basic" %}…{% else %}…{% endif %}', says: 'one text or another' },
] as const;
