import type { ChannelType } from '#contract/reminders.ts';
import { type AnyAdapter, loadAdapters } from '#delivery/load-adapters.ts';

/** Every provider Cuebird can deliver through, by type and rank. */
export const adapters: readonly AnyAdapter[] = await loadAdapters(new URL('./', import.meta.url));

export const adaptersOf = (type: ChannelType): AnyAdapter[] => adapters.filter((adapter) => adapter.type === type);

/** The field of a configuration that names its provider; Slack's has been called its method from the first. */
export const providerField = (type: ChannelType) => (type === 'slack' ? 'method' : 'provider');

type Configuration = Readonly<Record<string, unknown>>;

/**
 * The adapter for a channel's type and the provider that its configuration names, or null where that is not built in. Who
 * names none means the first of the type.
 */
export function adapterFor(type: ChannelType, configuration: Configuration = {}): AnyAdapter | null {
  const named = configuration[providerField(type)] || undefined;
  const ofType = adaptersOf(type);
  return ofType.find(({ provider }) => named === undefined || provider === named) ?? null;
}

/** Parts a configuration into what is stored and shown as it is and what is sealed. Empty secrets count as none. */
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
