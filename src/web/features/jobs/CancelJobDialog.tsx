import { Button, Group } from '@mantine/core';
import type { JobSummary } from '#contract/jobs.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { useActOnJob } from './act-on-job.ts';
import { useLast } from './use-last.ts';

/** Asks for confirmation before a job is cancelled; closed while `job` is null. */
export function CancelJobDialog({ job, onClose }: { job: JobSummary | null; onClose: () => void }) {
  const { act, busy } = useActOnJob();
  const shown = useLast(job);
  const confirm = async () => {
    if (job) await act('cancel', job);
    onClose();
  };
  return (
    <Dialog title="Cancel this job?" opened={job !== null} onClose={onClose} width={440}>
      <p style={{ margin: 0 }}>
        <strong>{shown?.name}</strong> {shown && consequenceOf(shown)} You can retry it later.
      </p>
      <Group justify="flex-end" gap={8} mt="lg">
        <Button variant="default" onClick={onClose} data-autofocus>
          Keep job
        </Button>
        <Button color="red" onClick={() => void confirm()} loading={busy !== null}>
          Cancel job
        </Button>
      </Group>
    </Dialog>
  );
}

/** The effect of cancelling in the job's current status. */
function consequenceOf({ status, attempts, reminder_id }: JobSummary): string {
  if (status === 'running')
    return 'is running. Messages that are already sent cannot be recalled; the others will not be sent.';
  const loss = attempts > 0 ? 'will not be tried again.' : 'will not be sent.';
  return reminder_id ? `${loss} Later occurrences of its reminder are not affected.` : loss;
}
