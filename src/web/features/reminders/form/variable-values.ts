/** The variables that Cuebird fills in itself. */
const known: ReadonlySet<string> = new Set([
  'recipient_name',
  'recipient_email',
  'current_date',
  'current_month',
  'current_year',
  'company_name',
]);

/** The variables that need a value from the user, without duplicates. */
export const needingValue = (variables: readonly string[]): string[] =>
  [...new Set(variables)].filter((variable) => !known.has(variable));

/** The variables whose values an error response asks for. */
export const askedFor = (fields: readonly { path: string }[]): string[] =>
  fields.flatMap(({ path }) => (path.startsWith(valuePath) ? [path.slice(valuePath.length)] : []));

const valuePath = 'content.values.';

/** The values whose variable still exists. */
export const valuesFor = (variables: readonly string[], values: Readonly<Record<string, string>>) =>
  Object.fromEntries(Object.entries(values).filter(([variable]) => variables.includes(variable)));
