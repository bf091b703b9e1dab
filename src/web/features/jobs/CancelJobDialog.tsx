import { Button, Group } from '@mantine/core';
import type { Job } from '#contract/jobs.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { useActOnJob } from './act-on-job.ts';
import { useLast } from './use-last.ts';

/** Asks before a job is called off; closed while `job` is null. */
export function CancelJobDialog({ job, onClose }: { job: Job | null; onClose: () => void }) {
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

/** What cancelling means for a job as it stands. */
function consequenceOf({ status, attempts, reminder_id }: Job): string {
  if (status === 'running') return 'is running. Who was already served stays served; nobody else will be.';
  const loss = attempts > 0 ? 'will not be tried again.' : 'will not be sent at its time.';
  return reminder_id ? `${loss} Later occurrences of its reminder are not touched.` : loss;
}
