import { Skeleton } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Reminder } from '#contract/reminders.ts';
import { useReminder } from '#web/api/reminders.ts';
import { Loaded } from '#web/ui/Record.tsx';

/** The content of a dialog about a reminder: its skeleton, its failure, or what `children` makes of the reminder. */
export const LoadedReminder = ({ id, children }: { id: string; children: (reminder: Reminder) => ReactNode }) => (
  <Loaded
    of={useReminder(id)}
    failed="Failed to load reminder data"
    skeleton={
      <div role="status" aria-busy aria-label="Loading the reminder">
        {[64, 64, 120, 36].map((height, at) => (
          <Skeleton key={at} height={height} mb={16} />
        ))}
      </div>
    }
  >
    {children}
  </Loaded>
);
