import type { ChannelType } from '#contract/channel-types.ts';
import { type AnyAdapter, loadAdapters } from '#delivery/load-adapters.ts';

/** Every provider, by type and rank. */
export const adapters: readonly AnyAdapter[] = await loadAdapters(new URL('./', import.meta.url));

export const adaptersOf = (type: ChannelType): AnyAdapter[] => adapters.filter((adapter) => adapter.type === type);

/** The configuration field that names the provider. Slack's is called `method`. */
export const providerField = (type: ChannelType) => (type === 'slack' ? 'method' : 'provider');

/** The fields that decide where a channel's secrets are sent. */
export const destinationFieldsOf = ({
  fields,
  destinationFields: names,
}: Pick<AnyAdapter, 'fields' | 'destinationFields'>) =>
  names === 'fixed' ? [] : fields.filter(({ name }) => names.includes(name));

type Configuration = Readonly<Record<string, unknown>>;

/**
 * The adapter for a channel's type and the provider in its configuration; null when there is none. Without a provider
 * in the configuration it is the first of the type.
 */
export function adapterFor(type: ChannelType, configuration: Configuration = {}): AnyAdapter | null {
  const named = configuration[providerField(type)] || undefined;
  const ofType = adaptersOf(type);
  return ofType.find(({ provider }) => named === undefined || provider === named) ?? null;
}

/**
 * Splits a configuration into the part that is stored and shown as it is and the part that is encrypted. Empty secrets
 * are dropped.
 */
export function splitSecrets(
  adapter: Pick<AnyAdapter, 'secretFields'>,
  configuration: Configuration,
): { shown: Record<string, unknown>; secrets: Record<string, string> } {
  const shown: Record<string, unknown> = {};
  const secrets: Record<string, string> = {};
  for (const [field, value] of Object.entries(configuration)) {
    if (!adapter.secretFields.includes(field)) shown[field] = value;
    else if (typeof value === 'string' && value !== '') secrets[field] = value;
  }
  return { shown, secrets };
}
