import { useEffect, useState } from 'react';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';

// Timers take at most 24.8 days.
const longestMs = 2 ** 31 - 1;

/** Until when all reminders of the workspace are paused; null when they are not. It changes when the pause ends. */
export function useAllPaused(): string | null {
  const { reminders_paused_until: until } = useWorkspace().workspace;
  const [nowMs, setNowMs] = useState(Date.now);
  const endMs = until === null ? 0 : Date.parse(until);
  const isPaused = endMs > nowMs;
  useEffect(() => {
    if (!isPaused) return undefined;
    const timer = setTimeout(() => setNowMs(Date.now()), Math.min(Math.max(endMs - Date.now(), 0) + 1, longestMs));
    return () => clearTimeout(timer);
  }, [isPaused, endMs, nowMs]);
  return isPaused ? until : null;
}
