import { namesIn } from '#domain/template.ts';
import { distinctNames, withoutNames } from './variable-names.ts';

/** The variables that Cuebird fills in itself. */
const known = ['recipient_name', 'recipient_email', 'current_date', 'current_month', 'current_year', 'company_name'];

/** The variables that need a value from the user: those of the list, and those that were typed into the text. */
export const needingValue = ({ variables, subject, message }: Content): string[] =>
  withoutNames(distinctNames([...variables, ...namesIn(subject), ...namesIn(message)]), known);

type Content = { variables: readonly string[]; subject: string; message: string };

/** The variables whose values an error response asks for. */
export const askedFor = (fields: readonly { path: string }[]): string[] =>
  fields.flatMap(({ path }) => (path.startsWith(valuePath) ? [path.slice(valuePath.length)] : []));

const valuePath = 'content.values.';

/** The values without those of removed variables; a variable that the text names keeps its value. */
export function valuesWithout(
  removed: readonly string[],
  { values, ...content }: Content & { values: Readonly<Record<string, string>> },
): Record<string, string> {
  const lost = withoutNames(removed, needingValue(content));
  const kept = withoutNames(Object.keys(values), lost);
  return Object.fromEntries(kept.map((name) => [name, values[name] ?? '']));
}
