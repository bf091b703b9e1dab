import type { PausedDeliveries } from '#contract/delivery-pause.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import classes from '#web/features/admin/admin.module.css';

/** What would go out: the first jobs, then how many wait in each workspace. */
export const PausedJobs = ({ paused: { first, workspaces, due } }: { paused: PausedDeliveries }) => (
  <div>
    {first.length === 0 ? (
      <p className={classes.quiet}>Nothing is due yet.</p>
    ) : (
      <>
        <h3 className={classes.heading}>
          {first.length < due ? `The first ${first.length} of ${due.toLocaleString('en')}` : 'What would go out'}
        </h3>
        <ul className={classes.jobs}>
          {first.map((job) => (
            <li key={`${job.workspace_id} ${job.name} ${job.scheduled_for}`}>
              <span className={classes.name}>{job.name}</span>
              <span className={classes.quiet}>
                {job.workspace}, due <InstantText at={job.scheduled_for} />,{' '}
                {job.refusal === null
                  ? `${job.recipients.toLocaleString('en')} ${job.recipients === 1 ? 'recipient' : 'recipients'}`
                  : `not sent: ${job.refusal}`}
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
              <span className={classes.name}>{workspace.name}</span>
              <span className={classes.quiet}>
                {workspace.due.toLocaleString('en')} due, {workspace.later.toLocaleString('en')} later
              </span>
            </li>
          ))}
        </ul>
      </>
    )}
  </div>
);
