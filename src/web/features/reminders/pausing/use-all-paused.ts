import { useEffect, useState } from 'react';
import type { ReminderSummary } from '#contract/reminders.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';

// Timers take at most 24.8 days.
const longestMs = 2 ** 31 - 1;

/**
 * Until when a reminder is paused, by itself or with all: its next run, or that of an event of now, falls into the pause. Null when it is
 * not.
 */
export function usePausedUntil({
  status,
  next_run_at: next,
  schedule_config: schedule,
  paused_until: own,
}: Pick<ReminderSummary, 'status' | 'next_run_at' | 'schedule_config' | 'paused_until'>): string | null {
  const allPaused = useAllPaused();
  if (status !== 'active') return own;
  if (allPaused === null) return null;
  const isPaused = next === null ? schedule.type === 'event-based' : Date.parse(next) < Date.parse(allPaused);
  return isPaused ? allPaused : null;
}

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
