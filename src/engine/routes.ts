import type { ChannelType } from '#contract/reminders.ts';
import type { DefaultRoute } from '#delivery/adapter.ts';
import { adapterFor } from '#delivery/registry.ts';
import type { Route } from '#engine/run.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type ChannelRow = {
  id: string;
  workspace_id: string;
  type: ChannelType;
  is_active: boolean;
  configuration: Record<string, unknown>;
  sealed_secrets: Record<string, string>;
  updated_at: string;
};

/**
 * Finds the route of a channel type among rows that come with every claim, the most recently changed first, so that a
 * channel switched off is not used again. Each channel's secrets are opened once per change of it.
 */
export function createRoutes({ secrets, defaults }: { secrets: SecretBox; defaults: DefaultRoute }) {
  const opened = new Map<string, Route>();
  return (rows: readonly ChannelRow[]) => {
    const found = new Map<string, Route>();
    return ({ type, workspaceId }: { type: ChannelType; workspaceId: string }): Route => {
      const key = `${workspaceId} ${type}`;
      const known = found.get(key);
      if (known !== undefined) return known;
      const own = rows.filter((channel) => channel.workspace_id === workspaceId && channel.type === type);
      const route = routeAmong(own, { type, workspaceId });
      found.set(key, route);
      return route;
    };
  };

  function routeAmong(
    own: readonly ChannelRow[],
    { type, workspaceId }: { type: ChannelType; workspaceId: string },
  ): Route {
    const row = own.find((channel) => channel.is_active);
    if (row !== undefined) return openOnce(row);
    // A workspace that switched its channel off does not mean the installation's to take its place.
    if (own.length > 0) return { problem: `The ${type} channel is switched off`, isOff: true };
    return defaultRoute(type, workspaceId);
  }

  /** Never throws: what a claim has begun would be nobody's. */
  function defaultRoute(type: ChannelType, workspaceId: string): Route {
    try {
      return (
        defaults(type, workspaceId) ?? { problem: `The workspace has no active channel of type ${type}`, isOff: false }
      );
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { problem: `The installation's own configuration for ${type} cannot be used: ${reason}`, isOff: false };
    }
  }

  function openOnce(row: ChannelRow): Route {
    const key = `${row.id} ${row.updated_at}`;
    const known = opened.get(key);
    if (known !== undefined) return known;
    if (opened.size > 10_000) opened.clear();
    const route = openRoute(row, secrets);
    opened.set(key, route);
    return route;
  }
}

export type FindRoute = ReturnType<typeof createRoutes>;

function openRoute(row: ChannelRow, secrets: SecretBox): Route {
  const adapter = adapterFor(row.type, row.configuration);
  if (adapter === null)
    return { problem: `This version cannot send through the channel's provider (${row.type})`, isOff: false };
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
      isOff: false,
    };
  }
}
