import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import type { ListedEvent } from '#contract/events.ts';
import { useRepeatEvent } from '#web/api/events.ts';
import { randomKey } from '#web/api/random-key.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { notifyAnswer, notifyFailure, notifySuccess } from '#web/ui/notify.tsx';

type RepeatEventDialogProps = { event: ListedEvent; opened: boolean; onClose: () => void };

/** Asks before an event is sent again. However often it is confirmed, one opening sends it once. */
export function RepeatEventDialog({ event: { id, event, source }, opened, onClose }: RepeatEventDialogProps) {
  const [idempotencyKey] = useState(randomKey);
  const repeat = useRepeatEvent();
  const send = async () => {
    try {
      const { jobs, hint } = await repeat.mutateAsync({ id, idempotencyKey });
      if (jobs.length === 0) notifyAnswer('Event sent again', hint ?? 'It set off nothing.');
      else notifySuccess('Event sent again', `It set off ${jobs.length === 1 ? '1 job' : `${jobs.length} jobs`}.`);
      onClose();
    } catch (error) {
      notifyFailure('Error sending the event again', error);
    }
  };
  return (
    <Dialog title="Send this event again?" opened={opened} onClose={onClose} width={440}>
      <p style={{ margin: 0, overflowWrap: 'anywhere' }}>
        {source.kind === 'hook' ? (
          <>
            The reminder <strong>{source.name}</strong> is set off once more
          </>
        ) : (
          <>
            Every active reminder that waits for <code>{event}</code> is set off once more
          </>
        )}
        , with the same data. Delays begin now. Whoever has had the message gets it again.
      </p>
      <Group justify="flex-end" gap={8} mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button onClick={() => void send()} loading={repeat.isPending}>
          Send again
        </Button>
      </Group>
    </Dialog>
  );
}
