import type { PoolClient } from 'pg';
import type { ChannelType } from '#contract/reminders.ts';
import type { DefaultRoute, SendRoute } from '#delivery/adapter.ts';
import { adapterFor } from '#delivery/registry.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type ChannelRow = {
  id: string;
  workspace_id: string;
  type: ChannelType;
  configuration: Record<string, unknown>;
  sealed_secrets: Record<string, string>;
  updated_at: string;
};

/** The active channels of these workspaces, the most recently changed first. */
export async function channelsOf(client: PoolClient, workspaceIds: readonly string[]): Promise<ChannelRow[]> {
  const { rows } = await client.query<ChannelRow>({
    name: 'active-channels',
    text: `
    select id, workspace_id, type, configuration, sealed_secrets, updated_at
      from channels
     where workspace_id = any ($1::uuid[]) and is_active
     order by updated_at desc`,
    values: [workspaceIds],
  });
  return rows;
}

/**
 * Finds the route of a channel type, opening each channel's secrets once per change of it. The rows come with every
 * claim, so that a channel switched off is not used again.
 */
export function createRoutes({ secrets, defaults }: { secrets: SecretBox; defaults: DefaultRoute }) {
  const opened = new Map<string, SendRoute | { problem: string }>();
  return (
    rows: readonly ChannelRow[],
    { type, workspaceId }: { type: ChannelType; workspaceId: string },
  ): SendRoute | { problem: string } => {
    const row = rows.find((channel) => channel.workspace_id === workspaceId && channel.type === type);
    if (row === undefined)
      return defaults(type, workspaceId) ?? { problem: `The workspace has no active channel of type ${type}` };
    const key = `${row.id} ${row.updated_at}`;
    const known = opened.get(key);
    if (known !== undefined) return known;
    if (opened.size > 10_000) opened.clear();
    const route = openRoute(row, secrets);
    opened.set(key, route);
    return route;
  };
}

export type FindRoute = ReturnType<typeof createRoutes>;

function openRoute(row: ChannelRow, secrets: SecretBox): SendRoute | { problem: string } {
  const adapter = adapterFor(row.type, row.configuration);
  if (adapter === null) return { problem: `This version cannot send through the channel's provider (${row.type})` };
  try {
    const open = Object.entries(row.sealed_secrets).map(([field, sealed]) => [
      field,
      secrets.open(sealed, { workspaceId: row.workspace_id, channelId: row.id }),
    ]);
    const config = adapter.shape.parse({ ...row.configuration, ...Object.fromEntries(open) });
    return { adapter, config, channelId: row.id };
  } catch (error) {
    return {
      problem: `The channel's configuration cannot be used: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}
