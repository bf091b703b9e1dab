import { IconHistory } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { JobSummary } from '#contract/jobs.ts';
import { useReminderRuns } from '#web/api/jobs.ts';
import { lineOf, lineTone } from '#web/features/jobs/run-words.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import classes from '#web/ui/record.module.css';
import { JobBadge } from '#web/ui/JobBadge.tsx';

/** The runs of the reminder, newest first, each with what it came to. */
export function ReminderRuns({ id, zone }: { id: string; zone: string }) {
  const runs = useReminderRuns(id);
  return (
    <RecordSection title="Runs">
      <Loaded of={runs} failed="Error loading runs">
        {(found) =>
          found.length === 0 ? (
            <EmptyState
              icon={IconHistory}
              title="Not sent yet"
              sentence="Each time it is sent is listed here, with how many it reached. Tests are not."
            />
          ) : (
            <>
              <ul aria-label="Runs">
                {found.map((run) => (
                  <Row key={run.id} run={run} zone={zone} />
                ))}
              </ul>
              {runs.hasNextPage && <LoadMore of={runs}>{found.length.toLocaleString('en')} shown</LoadMore>}
            </>
          )
        }
      </Loaded>
    </RecordSection>
  );
}

function Row({ run, zone }: { run: JobSummary; zone: string }) {
  const line = lineOf(run);
  return (
    <li className={classes.row}>
      <div className={classes.line}>
        <Link to="/jobs" search={{ job: run.id }} className={`${classes.name} ${classes.whole}`}>
          <InstantText at={run.scheduled_for} zone={zone} />
        </Link>
        <JobBadge job={run} />
      </div>
      {line !== null && (
        <span className={classes.note} data-tone={lineTone(run)}>
          {line}
        </span>
      )}
    </li>
  );
}
