import type { Route } from '#contract/route.ts';

/** What an API key may do: `send` messages and report events, `read`, and `manage`, which is to change everything else. */
export const scopes = ['send', 'read', 'manage'] as const;
export type Scope = (typeof scopes)[number];

/** The scopes of which a key needs one to call a route: what the route declares, else `read` to get something and `manage` for the rest. */
export const scopesOf = ({ method, scope }: Pick<Route, 'method' | 'scope'>): readonly Scope[] =>
  scope ?? [method === 'get' ? 'read' : 'manage'];
