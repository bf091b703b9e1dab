import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Reminder } from '#contract/reminders.ts';
import { useReminder } from '#web/api/reminders.ts';
import { ErrorState } from '#web/ui/ErrorState.tsx';

/** The content of a dialog about a reminder: its skeleton, its failure, or what `children` makes of the reminder. */
export function LoadedReminder({ id, children }: { id: string; children: (reminder: Reminder) => ReactNode }) {
  const { data: reminder, error, isPending, isFetching, refetch } = useReminder(id);
  if (isPending)
    return (
      <div role="status" aria-busy aria-label="Loading the reminder">
        {[64, 64, 120, 36].map((height, at) => (
          <Skeleton key={at} height={height} mb={16} />
        ))}
      </div>
    );
  if (!reminder) return <ErrorState title="Failed to load reminder data" of={{ error, refetch, isFetching }} />;
  return children(reminder);
}
