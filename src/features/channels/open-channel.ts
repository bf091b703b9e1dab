import type { AnyAdapter } from '#delivery/load-adapters.ts';
import { adapterFor } from '#delivery/registry.ts';
import type { ChannelRow } from '#features/channels/channels.db.ts';
import { Unprocessable } from '#platform/errors.ts';
import { fieldErrors } from '#platform/field-errors.ts';
import type { SecretBox } from '#platform/secrets.ts';

/**
 * Opens a stored channel for its adapter.
 * @throws Unprocessable where this version has no such provider, or where the configuration is not valid (any more)
 */
export function openChannel(row: ChannelRow, secrets: SecretBox): { adapter: AnyAdapter; config: unknown } {
  const adapter = adapterFor(row.type, row.configuration);
  if (adapter === null)
    throw new Unprocessable(`This version cannot send through the channel's provider (${row.type})`);
  const context = { workspaceId: row.workspace_id, channelId: row.id };
  const opened = Object.entries(row.sealed_secrets).map(([field, sealed]) => [field, secrets.open(sealed, context)]);
  const parsed = adapter.shape.safeParse({ ...row.configuration, ...Object.fromEntries(opened) });
  if (parsed.success) return { adapter, config: parsed.data };
  const [problem] = fieldErrors(parsed.error);
  throw new Unprocessable(`The channel cannot be used as it is configured: ${problem?.path} ${problem?.message}`);
}
