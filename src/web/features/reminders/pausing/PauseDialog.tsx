import { Button, Text } from '@mantine/core';
import { useState } from 'react';
import { ApiError } from '#web/api/client.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { messageOf } from '#web/ui/message-of.ts';
import { instantOfPicker } from '#web/ui/pickers/picked-instant.ts';
import { pauseEndText, pauseTimes } from './pause-times.ts';
import prose from '#web/ui/prose.module.css';
import classes from './PauseDialog.module.css';
import { MomentPicker } from '#web/ui/pickers/MomentPicker.tsx';

type PauseDialogProps = {
  title: string;
  /** What is paused, and what becomes of the messages. */
  sentence: string;
  opened: boolean;
  onClose: () => void;
  /** Rejects with the API's refusal. */
  onPause: (until: string) => Promise<void>;
};

/** Asks until when to pause: one click for tomorrow or a week, or any date and time. */
export default function PauseDialog({ title, opened, ...contents }: PauseDialogProps) {
  return (
    <Dialog title={title} opened={opened} onClose={contents.onClose} width={440}>
      <Choices {...contents} />
    </Dialog>
  );
}

/** Mounted with each opening, so that the times are those of that moment. */
function Choices({ sentence, onClose, onPause }: Pick<PauseDialogProps, 'sentence' | 'onClose' | 'onPause'>) {
  const [now] = useState(() => new Date());
  const [chosen, setChosen] = useState<string | null>(null);
  const [busy, setBusy] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const pause = async (until: string) => {
    setBusy(until);
    setError(null);
    try {
      await onPause(until);
      onClose();
    } catch (failure) {
      setError(fieldErrorOf(failure, 'until'));
    } finally {
      setBusy(null);
    }
  };
  const own = chosen === null ? null : instantOfPicker(chosen);
  return (
    <>
      <Text mb={16} c="dimmed">
        {sentence}
      </Text>
      <div className={classes.choices}>
        {pauseTimes(now).map(({ label, until }, at) => (
          <Button
            key={label}
            variant="default"
            justify="space-between"
            h={44}
            data-autofocus={at === 0 ? true : undefined}
            rightSection={<span className={prose.aside}>{pauseEndText(until)}</span>}
            loading={busy === until}
            disabled={busy !== null && busy !== until}
            onClick={() => void pause(until)}
          >
            {label}
          </Button>
        ))}
      </div>
      <div className={classes.own}>
        <MomentPicker
          label="Until a date and time"
          minDate={now}
          description={`In your time (${viewerZone().replaceAll('_', ' ')})`}
          value={chosen}
          error={error}
          onChange={setChosen}
        />
        <Button
          disabled={own === null || (busy !== null && busy !== own)}
          loading={own !== null && busy === own}
          onClick={() => own !== null && void pause(own)}
        >
          Pause
        </Button>
      </div>
    </>
  );
}

/** The API's words about this field; else what it says about the request. */
const fieldErrorOf = (error: unknown, path: string): string =>
  (error instanceof ApiError ? error.fields?.find((field) => field.path === path)?.message : undefined) ??
  messageOf(error);
