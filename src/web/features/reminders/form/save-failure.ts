import { ApiError } from '#web/api/client.ts';
import { messageOf } from '#web/ui/message-of.ts';

/** The text of a failed save. */
export function saveFailure(error: unknown): string {
  if (error instanceof ApiError && error.status === 401) return 'User not authenticated';
  // The user is not, or no longer, a member of the workspace.
  if (error instanceof ApiError && error.resource === 'workspace') return 'No workspace selected';
  return messageOf(error, 'Failed to save reminder. Please try again.');
}
