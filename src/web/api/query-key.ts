import type { PathWord } from '#contract/routes.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';

/** What a query is about: a word of the API's paths, or a name for several requests. */
export type Resource = PathWord | 'examples' | 'palette' | 'phrase';

/**
 * The key of a workspace's query: `[workspaceId, resource, view, parameters]`. Without `view` it matches all views of
 * the resource, for invalidation.
 */
export const keyOf = (workspaceId: string, resource: Resource, ...of: View): readonly unknown[] => [
  workspaceId,
  resource,
  ...of,
];

type View = [] | [view: string] | [view: string, parameters: unknown];

/** The key of a query of the current workspace. */
export const useKey = (resource: Resource, ...of: View): readonly unknown[] => keyOf(useWorkspaceId(), resource, ...of);
