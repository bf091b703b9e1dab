import { Skeleton } from '@mantine/core';
import { useState } from 'react';
import type { TestEvent } from '#contract/events.ts';
import { useReminder } from '#web/api/reminders.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { TestEventForm } from './TestEventForm.tsx';
import { TestEventResult } from './TestEventResult.tsx';

type TestEventDialogProps = { /** The id of the reminder. */ id: string; opened: boolean; onClose: () => void };

/** Tries an event reminder with the data of an event, and shows what came of it. */
export default function TestEventDialog({ opened, onClose, id }: TestEventDialogProps) {
  // Here, because the dialog is another one on a phone that is turned.
  const [sent, setSent] = useState<TestEvent | null>(null);
  const [wasOpened, setWasOpened] = useState(opened);
  if (opened !== wasOpened) {
    setWasOpened(opened);
    if (opened) setSent(null);
  }
  return (
    <Dialog title="Send a test event" opened={opened} onClose={onClose} width={600}>
      <Contents id={id} sent={sent} onSent={setSent} onDone={onClose} />
    </Dialog>
  );
}

type ContentsProps = {
  id: string;
  sent: TestEvent | null;
  onSent: (sent: TestEvent | null) => void;
  onDone: () => void;
};

function Contents({ id, sent, onSent, onDone }: ContentsProps) {
  const { data: reminder, error, isPending, isFetching, refetch } = useReminder(id);
  if (isPending)
    return (
      <div role="status" aria-busy aria-label="Loading the reminder">
        {[64, 64, 120, 36].map((height, at) => (
          <Skeleton key={at} height={height} mb={16} />
        ))}
      </div>
    );
  if (!reminder)
    return (
      <ErrorState
        title="Failed to load reminder data"
        error={error}
        onRetry={() => void refetch()}
        isRetrying={isFetching}
      />
    );
  return (
    <>
      {/* It stays mounted behind the result, so that another test begins with what was typed. */}
      <div hidden={sent !== null}>
        <TestEventForm reminder={reminder} onDone={onDone} onSent={onSent} />
      </div>
      {sent !== null && (
        <TestEventResult key={sent.job_id} reminder={reminder} sent={sent} onAgain={() => onSent(null)} />
      )}
    </>
  );
}
