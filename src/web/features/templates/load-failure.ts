import { ApiError } from '#web/api/client.ts';

/** The title and message of a list that failed to load: signed out, workspace gone, or another error. */
export function loadFailureOf(error: unknown): { title: string; message: string | null } {
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 401) return { title: 'Authentication Required', message: null };
  if (status === 404)
    return { title: 'No Workspace Selected', message: 'No workspace selected. Please select a workspace first.' };
  return { title: 'Error loading templates', message: null };
}
