import type { Analytics } from '#contract/analytics.ts';
import { typeWords } from '#web/features/jobs/job-words.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { RecordSection } from '#web/ui/Record.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import list from '#web/ui/list.module.css';
import classes from './analytics.module.css';

/** The latest jobs. */
export const RecentActivityTab = ({ jobs }: { jobs: Analytics['recent_jobs'] }) => (
  <RecordSection title="Recent Activity">
    {jobs.length === 0 ? (
      <p className={list.none}>No recent activity</p>
    ) : (
      <table className={classes.table}>
        <thead>
          <tr>
            <th>Name</th>
            <th>Type</th>
            <th>Created</th>
            <th>Status</th>
          </tr>
        </thead>
        <tbody>
          {jobs.map(({ id, name, type, created_at: at, status }) => (
            <tr key={id}>
              <td className={classes.name}>{name}</td>
              <td>{typeWords[type]}</td>
              <td>
                <InstantText at={at} show="second" />
              </td>
              <td>
                <StatusBadge kind="job" status={status} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    )}
  </RecordSection>
);
