import { Skeleton } from '@mantine/core';
import { useReminder } from '#web/api/reminders.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { TestReminderForm } from './TestReminderForm.tsx';

type TestReminderDialogProps = {
  /** The id of the reminder. */
  id: string;
  opened: boolean;
  onClose: () => void;
  /** Called with the id of the test's job. */
  onSent: (job: string) => void;
};

/** Sends a reminder now to chosen recipients, without changing the reminder. */
export default function TestReminderDialog({ opened, onClose, ...of }: TestReminderDialogProps) {
  return (
    <Dialog title="Test Reminder" opened={opened} onClose={onClose} width={520}>
      <Contents {...of} onDone={onClose} />
    </Dialog>
  );
}

type ContentsProps = Pick<TestReminderDialogProps, 'id' | 'onSent'> & { onDone: () => void };

function Contents({ id, ...on }: ContentsProps) {
  const { data: reminder, error, isPending, isFetching, refetch } = useReminder(id);
  if (isPending) {
    return (
      <div role="status" aria-busy aria-label="Loading the reminder">
        {[64, 64, 120, 36].map((height, at) => (
          <Skeleton key={at} height={height} mb={16} />
        ))}
      </div>
    );
  }
  if (!reminder)
    return (
      <ErrorState
        title="Failed to load reminder data"
        error={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    );
  return <TestReminderForm reminder={reminder} {...on} />;
}
