type Resource =
  | 'analytics'
  | 'api-keys'
  | 'audit-log'
  | 'billing'
  | 'calendar-feeds'
  | 'calendar-sources'
  | 'channels'
  | 'channel-types'
  | 'contact-groups'
  | 'contacts'
  | 'dashboard'
  | 'day'
  | 'deliveries'
  | 'delivery-days'
  | 'events'
  | 'examples'
  | 'executions'
  | 'hooks'
  | 'inbox'
  | 'invitations'
  | 'jobs'
  | 'members'
  | 'palette'
  | 'phrase'
  | 'push'
  | 'reach'
  | 'reminders'
  | 'simulated-failures'
  | 'suppressions'
  | 'template-categories'
  | 'template-gallery'
  | 'template-preview'
  | 'templates'
  | 'webhooks'
  | 'workspace';

/**
 * The key of a workspace's query: `[workspaceId, resource, view, parameters]`. Without `view` it matches all views of
 * the resource, for invalidation.
 */
export const keyOf = (
  workspaceId: string,
  resource: Resource,
  ...of: [] | [view: string] | [view: string, parameters: unknown]
): readonly unknown[] => [workspaceId, resource, ...of];
