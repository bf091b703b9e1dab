import { Link } from '@tanstack/react-router';
import type { JobExecution } from '#contract/executions.ts';
import { durationText } from '#web/ui/duration.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import { useIsWide } from './JobRows.tsx';
import { typeWords } from './job-words.ts';
import classes from './rows.module.css';

/** Executions as a table on wide screens, else as cards. */
export function ExecutionRows({ executions }: { executions: JobExecution[] }) {
  const isWide = useIsWide();
  return <div className={classes.rows}>{isWide ? <Table {...{ executions }} /> : <Cards {...{ executions }} />}</div>;
}

function Table({ executions }: { executions: JobExecution[] }) {
  return (
    <table className={classes.table}>
      <thead>
        <tr>
          <th style={{ width: 124 }}>Status</th>
          <th>Job</th>
          <th style={{ width: 132 }}>Type</th>
          <th style={{ width: 190 }}>Started</th>
          <th style={{ width: 96 }} className={classes.number}>
            Duration
          </th>
          <th style={{ width: '34%', paddingLeft: 28 }}>Error</th>
        </tr>
      </thead>
      <tbody>
        {executions.map((execution) => (
          <tr key={execution.id}>
            <td>
              <StatusBadge kind="execution" status={execution.status} />
            </td>
            <td>
              <ExecutionLink execution={execution} />
            </td>
            <td className={classes.quiet}>{typeWords[execution.job.type]}</td>
            <td>
              <span className={classes.when}>
                <RelativeTime at={execution.started_at} />
                <span className={classes.instant}>
                  <InstantText at={execution.started_at} />
                </span>
              </span>
            </td>
            <td className={classes.number}>{durationOf(execution)}</td>
            <td style={{ paddingLeft: 28 }}>
              <Message execution={execution} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Cards({ executions }: { executions: JobExecution[] }) {
  return (
    <ul className={classes.cards}>
      {executions.map((execution) => (
        <li key={execution.id} className={classes.card}>
          <div className={classes.head}>
            <StatusBadge kind="execution" status={execution.status} />
            <RelativeTime at={execution.started_at} />
          </div>
          <ExecutionLink execution={execution} />
          <div className={classes.facts}>
            <InstantText at={execution.started_at} />
            <span>{typeWords[execution.job.type]}</span>
            <span>{durationOf(execution)}</span>
          </div>
          <Message execution={execution} />
        </li>
      ))}
    </ul>
  );
}

const durationOf = ({ duration_ms }: JobExecution): string => (duration_ms === null ? '–' : durationText(duration_ms));

function ExecutionLink({ execution: { id, job } }: { execution: JobExecution }) {
  return (
    <Link
      from="/jobs"
      to="/jobs"
      search={(before) => ({ ...before, execution: id })}
      resetScroll={false}
      className={classes.name}
      title={job.name}
    >
      {job.name}
    </Link>
  );
}

function Message({ execution: { error_message, status } }: { execution: JobExecution }) {
  if (!error_message) return null;
  return (
    <span className={classes.message} data-tone={status === 'failed' ? 'bad' : 'quiet'}>
      {error_message}
    </span>
  );
}
