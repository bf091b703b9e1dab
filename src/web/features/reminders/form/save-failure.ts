import { ApiError } from '#web/api/client.ts';
import { messageOf } from '#web/ui/message-of.ts';

/** What a save that failed is told as. */
export function saveFailure(error: unknown): string {
  if (error instanceof ApiError && error.status === 401) return 'User not authenticated';
  // Somebody was taken out of it, or it was never one of theirs.
  if (error instanceof ApiError && error.message === 'There is no such workspace') return 'No workspace selected';
  return messageOf(error, 'Failed to save reminder. Please try again.');
}
