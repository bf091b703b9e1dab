import type { ChannelField } from '#contract/channels.ts';

type Field = Pick<ChannelField, 'name' | 'label' | 'kind' | 'default'>;
type Configuration = Readonly<Record<string, unknown>>;

/** The value as entered, or the field's default when it is blank. */
export function writtenIn(configuration: Configuration, { name, kind, default: usual }: Field): string {
  const value = configuration[name] ?? '';
  const written = typeof value === 'string' ? value.trim() : JSON.stringify(value);
  return written === '' ? String(usual ?? (kind === 'switch' ? false : '')) : written;
}

/**
 * The fields that have changed. One changed field that decides where secrets are sent is enough: stored secrets are not
 * kept then and must be entered again. Whole values are compared, because on a shared host the path decides who
 * receives them.
 */
export const changedFields = <F extends Field>(
  fields: readonly F[],
  { before, after }: { before: Configuration; after: Configuration },
): F[] => fields.filter((field) => writtenIn(before, field) !== writtenIn(after, field));

/** Why a stored secret must be entered again, to follow the name of its field. */
export function enterAgainText(changed: readonly Pick<Field, 'label'>[]): string {
  const labels = new Intl.ListFormat('en-GB').format(changed.map(({ label }) => label));
  return `must be entered again: ${labels} ${changed.length === 1 ? 'decides where it goes, and was' : 'decide where it goes, and were'} changed`;
}
