import { useState } from 'react';
import { useEndSkip, useSkipRun } from '#web/api/exclusions.ts';
import { act } from '#web/ui/act.ts';
import { notifyUndoable } from '#web/ui/notify.tsx';

type Skip = { jobId: string; contactId: string /** Whom it is skipped for. */; name: string };

const aboutSkip = ({ jobId, contactId }: Skip) => `skip ${jobId} ${contactId}`;

/** Skips a run for a person at once and offers Undo; and sends it to them after all. */
export function useSkipWithUndo() {
  const [skip, endSkip] = [useSkipRun(), useEndSkip()];
  const [busy, setBusy] = useState<string | null>(null);
  const during = async (of: Skip, begun: Promise<boolean>): Promise<boolean> => {
    setBusy(`${of.jobId} ${of.contactId}`);
    const isDone = await begun;
    setBusy(null);
    return isDone;
  };
  const sendAfterAll = (of: Skip) =>
    during(
      of,
      act(endSkip(of), {
        failed: 'Error',
        about: aboutSkip(of),
        done: ['Not skipped', `${of.name} gets this run.`],
      }),
    );
  const skipRun = async (of: Skip): Promise<void> => {
    if (await during(of, act(skip(of), { failed: 'Error skipping this run' })))
      notifyUndoable('Skipped', `${of.name} does not get this run.`, {
        undo: () => sendAfterAll(of),
        about: aboutSkip(of),
      });
  };
  return {
    skipRun: (of: Skip) => void skipRun(of),
    sendAfterAll: (of: Skip) => void sendAfterAll(of),
    isBusy: ({ jobId, contactId }: Pick<Skip, 'jobId' | 'contactId'>) => busy === `${jobId} ${contactId}`,
  };
}
