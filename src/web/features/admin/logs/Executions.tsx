import { useLatestExecutions } from '#web/api/admin-logs.ts';
import { durationText } from '#web/ui/duration.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import classes from '#web/features/admin/admin.module.css';

const failed = 'Error loading executions';

/** The latest runs of jobs. */
export function Executions() {
  const found = useLatestExecutions();
  return (
    <RecordSection title="Latest executions">
      <Loaded of={found} failed={failed}>
        {(executions) =>
          executions.length === 0 ? (
            <p className={classes.none}>Nothing has run yet.</p>
          ) : (
            <table className={`${classes.table} ${classes.runs}`}>
              <thead>
                <tr>
                  <th>Job</th>
                  <th className={classes.status}>Status</th>
                  <th className={`${classes.count} ${classes.number}`}>Duration</th>
                  <th className={classes.moment}>Time</th>
                </tr>
              </thead>
              <tbody>
                {executions.map((execution) => (
                  <tr key={execution.id}>
                    <td className={classes.main}>
                      <span className={classes.cell}>
                        <span className={classes.name}>{execution.job}</span>
                        <span className={classes.quiet}>{execution.workspace}</span>
                        {execution.error_message !== null && (
                          <span className={classes.quiet}>{execution.error_message}</span>
                        )}
                      </span>
                    </td>
                    <td className={classes.status}>
                      <StatusBadge kind="execution" status={execution.status} />
                    </td>
                    <td className={`${classes.count} ${classes.number}`}>
                      {execution.duration_ms === null ? '–' : durationText(execution.duration_ms)}
                    </td>
                    <td className={classes.moment}>
                      <InstantText at={execution.started_at} show="second" />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Loaded>
    </RecordSection>
  );
}
