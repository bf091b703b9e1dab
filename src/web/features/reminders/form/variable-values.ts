/** Variables that every message knows by itself. */
const known: ReadonlySet<string> = new Set([
  'recipient_name',
  'recipient_email',
  'current_date',
  'current_month',
  'current_year',
  'company_name',
]);

/** The variables that a person gives a value, once each. */
export const needingValue = (variables: readonly string[]): string[] =>
  [...new Set(variables)].filter((variable) => !known.has(variable));

/** The values without those whose variable is gone. */
export const valuesFor = (variables: readonly string[], values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).filter(([variable]) => variables.includes(variable)));
