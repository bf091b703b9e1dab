import type { QueryClient } from '@tanstack/react-query';
import { type Session, sessionQuery } from '#web/api/session.ts';

/** The session, or null when there is none or the request fails; a failure is only logged. */
export async function sessionOrNull(queryClient: QueryClient): Promise<Session | null> {
  try {
    return await queryClient.ensureQueryData(sessionQuery);
  } catch (cause) {
    console.error('The session could not be read', cause);
    return null;
  }
}
