import type { ChannelType } from '#contract/reminders.ts';
import type { Adapter } from '#delivery/adapter.ts';
import { smtp } from '#delivery/email/smtp.ts';
import { webhook } from '#delivery/webhook/webhook.ts';

/** An adapter whose configuration only its own `shape` understands. */
export type AnyAdapter = Adapter<unknown>;

/** Every provider Cuebird can deliver through. The first of a type is the one a configuration without `provider` means. */
export const adapters: readonly AnyAdapter[] = [smtp, webhook];

/** The adapter for a channel's type and the `provider` in its configuration, or null where that is not built in. */
export function adapterFor(
  type: ChannelType,
  configuration: Readonly<Record<string, unknown>> = {},
): AnyAdapter | null {
  const provider = configuration.provider || undefined;
  return (
    adapters.find((adapter) => adapter.type === type && (provider === undefined || adapter.provider === provider)) ??
    null
  );
}

/** Parts a configuration into what is stored and shown as it is and what is sealed. Empty secrets count as none. */
export function splitSecrets(
  adapter: Pick<AnyAdapter, 'secretFields'>,
  configuration: Readonly<Record<string, unknown>>,
): { shown: Record<string, unknown>; secrets: Record<string, string> } {
  const shown: Record<string, unknown> = {};
  const secrets: Record<string, string> = {};
  for (const [field, value] of Object.entries(configuration)) {
    if (!adapter.secretFields.includes(field)) shown[field] = value;
    else if (typeof value === 'string' && value !== '') secrets[field] = value;
  }
  return { shown, secrets };
}
