import { IconCircleCheck } from '@tabler/icons-react';
import { lazy, Suspense } from 'react';
import type { useDay } from '#web/api/day.ts';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { TextLink } from '#web/ui/links.tsx';
import classes from './DayLists.module.css';
import { DaySkeleton } from './Upcoming.tsx';

/** Most dashboards have none: what they say loads when there are some. */
const Failures = lazy(() => import('./Failures.tsx'));

type Day = ReturnType<typeof useDay>;

/** This week's failed jobs that were not retried, and runs that missed somebody; a single line when there are none. */
export function NeedsAttention({ day }: { day: Day }) {
  const count = day.data?.failures.count ?? 0;
  const skeleton = <DaySkeleton label="Loading failed jobs" rows={1} />;
  const link = count > 0 && (
    <TextLink to="/jobs" search={{ status: 'failed' }}>
      {count === 1 ? 'See it' : `See all ${count.toLocaleString('en')}`}
    </TextLink>
  );
  return (
    <RecordSection title="Needs attention" size="h2" aside={link}>
      <Loaded of={day} failed="Error loading failed jobs" skeleton={skeleton}>
        {(found) =>
          found.failures.count + found.missed.latest.length ? (
            <Suspense fallback={skeleton}>
              <Failures of={found} />
            </Suspense>
          ) : (
            <p className={classes.calm} data-tone="good">
              <IconCircleCheck size={18} stroke={1.6} aria-hidden />
              Nothing has failed in the last seven days.
            </p>
          )
        }
      </Loaded>
    </RecordSection>
  );
}
