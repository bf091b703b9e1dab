import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { dayMs } from '#domain/instants.ts';
import { type Session, sessionQuery } from '#web/api/session.ts';

const checkMs = 30_000;
const nearExpiryMs = dayMs;

/** Refetches the session shortly before it expires; the server extends it on that request. */
export function useSessionRenewal(session: Session | null | undefined): void {
  const queryClient = useQueryClient();
  const expiresAt = session?.session.expiresAt.getTime();
  useEffect(() => {
    if (expiresAt === undefined) return;
    const timer = setInterval(() => {
      if (expiresAt - Date.now() < nearExpiryMs) void queryClient.refetchQueries(sessionQuery);
    }, checkMs);
    return () => clearInterval(timer);
  }, [expiresAt, queryClient]);
}
