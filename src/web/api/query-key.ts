import type { PathWord } from '#contract/routes.ts';

/** What is asked for, in the words of the API, or by several requests. */
type Resource = PathWord | 'examples' | 'palette' | 'phrase';

/**
 * The key of a workspace's query: `[workspaceId, resource, view, parameters]`. Without `view` it matches all views of
 * the resource, for invalidation.
 */
export const keyOf = (
  workspaceId: string,
  resource: Resource,
  ...of: [] | [view: string] | [view: string, parameters: unknown]
): readonly unknown[] => [workspaceId, resource, ...of];
