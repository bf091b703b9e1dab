import { useCallback, useState } from 'react';
import { readForecast } from '#web/api/reminders.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { type ScheduleDraft, scheduleInputOf } from './draft.ts';

/** Whoever chooses a start that is just past means now. */
const meantAsNowMs = 5 * 60_000;

type Asked = { at: string; zone: string; answer: (isConfirmed: boolean) => void };

/**
 * Asks before a one-time reminder is activated whose start has just passed, because it is sent at once. `ask` resolves to whether to
 * continue; it asks nothing about any other schedule.
 */
export function usePastStartQuestion() {
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isOpen, setOpen] = useState(false);
  const ask = useCallback(async (schedule: ScheduleDraft): Promise<boolean> => {
    if (schedule.type !== 'scheduled' || schedule.scheduleType !== 'once' || schedule.startDate === null) return true;
    // The server decides what may be saved: this only warns.
    const forecast = await readForecast(scheduleInputOf(schedule)).catch(() => null);
    const at = forecast?.occurrences[0];
    if (at === undefined || Date.parse(at) > Date.now() - meantAsNowMs) return true;
    return new Promise((resolve) => {
      setAsked({ at, zone: schedule.timezone, answer: resolve });
      setOpen(true);
    });
  }, []);
  const close = (isConfirmed: boolean) => {
    setOpen(false);
    asked?.answer(isConfirmed);
  };
  const dialog = asked !== null && (
    <ConfirmDialog
      title="Send it now?"
      confirmLabel="Send now"
      color="cue"
      opened={isOpen}
      onConfirm={() => close(true)}
      onClose={() => close(false)}
    >
      <p>
        <InstantText at={asked.at} zone={asked.zone} /> has passed: this reminder is sent as soon as it is saved.
      </p>
    </ConfirmDialog>
  );
  return { ask, dialog };
}
