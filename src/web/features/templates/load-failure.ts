import { ApiError } from '#web/api/client.ts';

/** What a list that could not be had is called: nobody is signed in any more, the workspace is gone, or it just failed. */
export function loadFailureOf(error: unknown): { title: string; message: string | null } {
  const status = error instanceof ApiError ? error.status : 0;
  if (status === 401) return { title: 'Authentication Required', message: null };
  if (status === 404)
    return { title: 'No Workspace Selected', message: 'No workspace selected. Please select a workspace first.' };
  return { title: 'Error loading templates', message: null };
}
