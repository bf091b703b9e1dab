import type { QueryClient } from '@tanstack/react-query';
import { redirect } from '@tanstack/react-router';
import { ApiError } from '#web/api/client.ts';
import { secondFactorRequired } from '#web/api/query-client.ts';
import { type Session, sessionQuery } from '#web/api/session.ts';

/**
 * The session, or null when there is none or the request fails; a failure is only logged. Redirects to the screen of the second
 * factor where the session waits for it.
 */
export async function sessionOrNull(queryClient: QueryClient): Promise<Session | null> {
  try {
    return await queryClient.ensureQueryData(sessionQuery);
  } catch (cause) {
    if (cause instanceof ApiError && cause.code === secondFactorRequired) throw toTwoFactor();
    console.error('The session could not be read', cause);
    return null;
  }
}

/** Redirects to the screen of the second factor, which then opens the requested address. */
function toTwoFactor() {
  const { pathname, search } = window.location;
  const isBeginning = ['/', '/auth', '/auth/code', '/dashboard'].includes(pathname);
  return redirect({ to: '/auth/code', search: isBeginning ? {} : { next: `${pathname}${search}` }, replace: true });
}
