import type { ChannelType } from '#contract/reminders.ts';
import type { DefaultRoute } from '#delivery/adapter.ts';
import { adapterFor } from '#delivery/registry.ts';
import type { Route, Run, Ways } from '#engine/run.ts';
import type { ChannelRow } from '#engine/store.ts';
import type { SecretBox } from '#platform/secrets.ts';

/**
 * Finds the ways of a channel type among rows that come with every claim, so that a channel switched off is not used again:
 * the pinned channel first, then the most recently changed. Each channel's secrets are opened once per change of it.
 */
export function createRoutes({ secrets, defaults }: { secrets: SecretBox; defaults: DefaultRoute }) {
  const opened = new Map<string, Route>();
  return (rows: readonly ChannelRow[]) => {
    const found = new Map<string, Ways>();
    return ({ type, workspaceId, pinned }: Asked): Ways => {
      const key = `${workspaceId} ${type} ${pinned ?? ''}`;
      const known = found.get(key);
      if (known !== undefined) return known;
      const own = rows.filter((channel) => channel.workspace_id === workspaceId && channel.type === type);
      const ways = waysAmong(own, { type, workspaceId, pinned });
      found.set(key, ways);
      return ways;
    };
  };

  function waysAmong(own: readonly ChannelRow[], { type, workspaceId, pinned }: Asked): Ways {
    const active = own.filter((channel) => channel.is_active);
    const routes = active
      .toSorted((a, b) => Number(b.id === pinned) - Number(a.id === pinned))
      .map((row) => openOnce(row));
    const [first, ...others] = routes.filter((route) => !('problem' in route));
    if (first !== undefined) return [first, ...others];
    const [broken] = routes;
    if (broken !== undefined) return [broken];
    // A workspace that switched its channel off does not mean the installation's to take its place.
    if (own.length > 0) return [{ problem: `The ${type} channel is switched off`, isOff: true }];
    return [defaultRoute(type, workspaceId)];
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

type Asked = { type: ChannelType; workspaceId: string /** A channel's id. */; pinned?: string | undefined };

export const isPaced = (route: Route) => 'pace' in route && route.pace !== null;

/** The ways of one run, by the rows that were read last. */
export const waysOf =
  (find: ReturnType<FindRoute>, { job, work }: Pick<Run, 'job' | 'work'>): Run['ways'] =>
  (type) =>
    find({ type, workspaceId: job.workspace_id, pinned: work.pinned[type] });

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
    const rate = row.rate_limit_per_second;
    const pace = rate === null ? null : { id: row.id, workspaceId: row.workspace_id, ratePerSecond: rate };
    return { adapter, config, channelId: row.id, pace };
  } catch (error) {
    return {
      problem: `The channel's configuration cannot be used: ${error instanceof Error ? error.message : String(error)}`,
      isOff: false,
    };
  }
}
