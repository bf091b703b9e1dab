import type { ChannelType } from '#contract/channel-types.ts';
import type { DefaultRoute, SendRoute } from '#delivery/adapter.ts';
import { adapterFor } from '#delivery/registry.ts';
import {
  channelIsDisabled,
  noActiveChannel,
  type Reason,
  unknownProvider,
  unusableChannel,
  unusableDefault,
} from '#domain/ledger-reasons.ts';

import type { SecretBox } from '#platform/secrets.ts';

/** How a channel type is sent for this run, or why it cannot be: it is switched off, or it is faulty. */
export type Route = OpenRoute | { problem: Reason; isOff: boolean };

/** A route that can send; `rateLimit` when its channel is rate limited. */
export type OpenRoute = SendRoute & { rateLimit?: RateLimitedChannel | null };

export type RateLimitedChannel = { id: string; workspaceId: string; ratePerSecond: number };

/** A channel of a workspace. */
export type ChannelRow = {
  id: string;
  workspace_id: string;
  type: ChannelType;
  is_active: boolean;
  configuration: Record<string, unknown>;
  sealed_secrets: Record<string, string>;
  rate_limit_per_second: number | null;
  updated_at: string;
};

/** The channels of one type: the one in use, then those that replace it while it cannot be reached. */
export type Routes = readonly [Route, ...Route[]];

/**
 * Finds the routes of a channel type among the channel rows that each claim reads, so that a channel that was switched
 * off is not used again. The pinned channel comes first, then the most recently changed. A pin is a preference: while the
 * pinned channel is off or its circuit breaker is open, another one of the type sends. A channel's secrets are decrypted
 * once per change. A demo's messages go into the sandbox, whatever its channels are.
 */
export function createRoutes({ secrets, defaults, demoRoutes = () => null }: RouteSources) {
  const opened = new Map<string, Route>();
  return (rows: readonly ChannelRow[]) => {
    const found = new Map<string, Routes>();
    let last: (Asked & { routes: Routes }) | null = null;
    return (asked: Asked): Routes => {
      // Neighbours mostly ask for the same, and comparing costs less than writing a key.
      if (last === null || !isSame(asked, last)) last = { ...asked, routes: routesOf(asked) };
      return last.routes;
    };

    function routesOf({ type, workspaceId, pinned, isDemo = false }: Asked): Routes {
      const key = `${workspaceId} ${type} ${pinned ?? ''} ${isDemo}`;
      const known = found.get(key);
      if (known !== undefined) return known;
      const own = rows.filter((channel) => channel.workspace_id === workspaceId && channel.type === type);
      const routes = isDemo
        ? demoRoutesAmong(own, { type, workspaceId })
        : routesAmong(own, { type, workspaceId, pinned });
      found.set(key, routes);
      return routes;
    }
  };

  /** The sandbox's routes, but none for a type whose channels are all disabled, as in any other workspace. */
  function demoRoutesAmong(own: readonly ChannelRow[], { type, workspaceId }: Asked): Routes {
    if (own.length > 0 && own.every((channel) => !channel.is_active)) return [disabled(type)];
    return [defaultRoute(demoRoutes, { type, workspaceId })];
  }

  function routesAmong(own: readonly ChannelRow[], { type, workspaceId, pinned }: Asked): Routes {
    const active = own.filter((channel) => channel.is_active);
    const routes = active
      .toSorted((a, b) => Number(b.id === pinned) - Number(a.id === pinned))
      .map((row) => openOnce(row));
    const [first, ...others] = routes.filter((route) => !('problem' in route));
    if (first !== undefined) return [first, ...others];
    const [broken] = routes;
    if (broken !== undefined) return [broken];
    // A workspace that switched its channel off does not want the installation's default instead.
    if (own.length > 0) return [disabled(type)];
    return [defaultRoute(defaults, { type, workspaceId })];
  }

  /** Never throws: what the claim has begun would be lost. */
  function defaultRoute(routeOf: DefaultRoute, { type, workspaceId }: Asked): Route {
    try {
      return routeOf(type, workspaceId) ?? { problem: noActiveChannel(type), isOff: false };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { problem: unusableDefault(type, reason), isOff: false };
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

const isSame = (one: Asked, other: Asked) =>
  one.workspaceId === other.workspaceId &&
  one.type === other.type &&
  one.pinned === other.pinned &&
  one.isDemo === other.isDemo;

export type FindRoute = ReturnType<typeof createRoutes>;

type Asked = {
  type: ChannelType;
  workspaceId: string;
  /** The id of the pinned channel. */
  pinned?: string | undefined;
  isDemo?: boolean;
};

type RouteSources = {
  secrets: SecretBox;
  defaults: DefaultRoute;
  /** The routes that demos send over; without it demos send nothing. */
  demoRoutes?: DefaultRoute | undefined;
};

const disabled = (type: ChannelType): Route => ({ problem: channelIsDisabled(type), isOff: true });

export const isRateLimited = (route: Route) => 'rateLimit' in route && route.rateLimit !== null;

function openRoute(row: ChannelRow, secrets: SecretBox): Route {
  const adapter = adapterFor(row.type, row.configuration);
  if (adapter === null) return { problem: unknownProvider(row.type), isOff: false };
  try {
    const open = Object.entries(row.sealed_secrets).map(([field, sealed]) => [
      field,
      secrets.open(sealed, { workspaceId: row.workspace_id, channelId: row.id }),
    ]);
    const config = adapter.shape.parse({ ...row.configuration, ...Object.fromEntries(open) });
    const rate = row.rate_limit_per_second;
    const rateLimit = rate === null ? null : { id: row.id, workspaceId: row.workspace_id, ratePerSecond: rate };
    return { adapter, config, channelId: row.id, rateLimit };
  } catch (error) {
    return { problem: unusableChannel(error instanceof Error ? error.message : String(error)), isOff: false };
  }
}
