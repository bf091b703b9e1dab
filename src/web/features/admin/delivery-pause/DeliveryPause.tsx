import '@mantine/core/styles/Alert.layer.css';
import '@mantine/core/styles/Radio.layer.css';
import { Alert, Button, Radio, Stack } from '@mantine/core';
import { IconPlayerPause } from '@tabler/icons-react';
import { useState } from 'react';
import { counted } from '#domain/in-words.ts';
import type { AfterFailOver, PausedDeliveries, Resume } from '#contract/delivery-pause.ts';
import { useDeliveryPause, useResumeDeliveries } from '#web/api/delivery-pause.ts';
import classes from '#web/features/admin/admin.module.css';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import list from '#web/ui/list.module.css';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { useErrorToast } from '#web/ui/use-error-toast.ts';

/** While deliveries are paused: why, what would go out, and how to resume them. Otherwise what is unexpected of a fail-over. */
export function DeliveryPause() {
  const { data, error } = useDeliveryPause();
  const { state, open, dialog } = useDialogState();
  useErrorToast(error, { title: 'Error loading the pause of deliveries' });
  if (data === undefined) return null;
  if (data.state === 'delivering') return <AfterFailOverAlert of={data.after_fail_over} />;
  return (
    <section aria-label="Paused deliveries">
      <Alert color="yellow" icon={<IconPlayerPause size={20} aria-hidden />} title="Deliveries are paused">
        <Stack gap={12} align="flex-start">
          <span>
            <Reason of={data} /> Nothing is sent until you resume deliveries: {counted(data.due, 'occurrence')} due by
            now, {data.later.toLocaleString('en')} planned for later.
          </span>
          <Button onClick={() => open(true)}>See what would go out</Button>
        </Stack>
      </Alert>
      {state.openCount > 0 && <ResumeDialog key={state.openCount} paused={data} {...dialog} />}
    </section>
  );
}

/** Where a fail-over of the database would not do what its operator expects. */
function AfterFailOverAlert({ of: after }: { of: AfterFailOver }) {
  switch (after) {
    case 'pauses':
    case 'continues':
      return null;
    case 'not_synchronous':
      return (
        <Alert color="yellow" title="A fail-over pauses deliveries">
          DATABASE_STANDBY is synchronous, but the database’s server waits for no standby at the moment.
        </Alert>
      );
    case 'unrecognized':
      return (
        <Alert color="yellow" title="A fail-over is not recognized">
          The login of the database may not call pg_walfile_name, so that what a promoted standby has lost may be sent
          twice.
        </Alert>
      );
    default:
      return after satisfies never;
  }
}

function Reason({ of: { reason, backup_of: backupOf, since } }: { of: PausedDeliveries }) {
  const when = (
    <>
      Since <InstantText at={since} />:
    </>
  );
  switch (reason) {
    case 'restored':
      return (
        <>
          {when} this database was restored from a backup
          {backupOf !== null && (
            <>
              {' '}
              of <InstantText at={backupOf} />
            </>
          )}
          . What has become due since the backup may have been sent already.
        </>
      );
    case 'moved':
      return (
        <>
          {when} this database is not where it last delivered. It may be a copy, and what is due may have been sent
          already.
        </>
      );
    case 'promoted':
      return (
        <>
          {when} the database’s server was promoted from a standby or recovered to an earlier time. What it has lost may
          have been sent already.
        </>
      );
    case 'asked':
      return <>{when} an administrator has asked for it.</>;
    default:
      return reason satisfies never;
  }
}

type ResumeDialogProps = { paused: PausedDeliveries; opened: boolean; onClose: () => void };

function ResumeDialog({ paused, ...dialog }: ResumeDialogProps) {
  const { mutateAsync } = useResumeDeliveries();
  const [overdue, setOverdue] = useState<Resume['overdue']>('by_rule');
  return (
    <ActDialog
      {...dialog}
      title="Resume deliveries"
      width={640}
      confirmLabel="Resume deliveries"
      color="cue"
      run={() => mutateAsync({ overdue })}
      done={({ missed }) =>
        missed === 0
          ? 'Deliveries resumed'
          : ['Deliveries resumed', `${counted(missed, 'occurrence')} recorded as missed.`]
      }
      failed="Error resuming deliveries"
    >
      <Stack gap={16}>
        <PausedJobs paused={paused} />
        <Radio.Group
          label={`What happens to the ${counted(paused.due, 'occurrence')} that ${paused.due === 1 ? 'is' : 'are'} due?`}
          value={overdue}
          onChange={(value) => setOverdue(value === 'missed' ? 'missed' : 'by_rule')}
        >
          <Stack gap={8} mt={8}>
            <Radio
              value="by_rule"
              label="Follow the rule of each reminder for missed occurrences"
              description="What is listed above goes out."
            />
            <Radio
              value="missed"
              label="Record all of them as missed"
              description="None of them is sent; later occurrences go on as planned."
            />
          </Stack>
        </Radio.Group>
      </Stack>
    </ActDialog>
  );
}

/** What would go out: the first jobs, then how many wait in each workspace. */
const PausedJobs = ({ paused: { first, workspaces, due } }: { paused: PausedDeliveries }) => (
  <div>
    {first.length === 0 ? (
      <p className={list.note}>Nothing is due yet.</p>
    ) : (
      <>
        <h3 className={classes.heading}>
          {first.length < due ? `The first ${first.length} of ${due.toLocaleString('en')}` : 'What would go out'}
        </h3>
        <ul className={classes.jobs}>
          {first.map((job) => (
            <li key={`${job.workspace_id} ${job.name} ${job.scheduled_for}`}>
              <span className={list.name}>{job.name}</span>
              <span className={list.note}>
                {job.workspace}, due <InstantText at={job.scheduled_for} />,{' '}
                {job.refusal === null ? counted(job.recipients, 'recipient') : `not sent: ${job.refusal}`}
              </span>
            </li>
          ))}
        </ul>
      </>
    )}
    {workspaces.length > 1 && (
      <>
        <h3 className={classes.heading}>By workspace</h3>
        <ul className={classes.jobs}>
          {workspaces.map((workspace) => (
            <li key={workspace.workspace_id}>
              <span className={list.name}>{workspace.name}</span>
              <span className={list.note}>
                {workspace.due.toLocaleString('en')} due, {workspace.later.toLocaleString('en')} later
              </span>
            </li>
          ))}
        </ul>
      </>
    )}
  </div>
);
