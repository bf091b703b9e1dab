import { Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { JobSummary } from '#contract/jobs.ts';
import { JobCards } from './JobCards.tsx';
import { JobTable } from './JobTable.tsx';
import { useFirstRows } from '#web/ui/use-first-rows.ts';
import classes from './rows.module.css';

export type JobRowsProps = {
  jobs: readonly JobSummary[];
  onCancel: (job: JobSummary) => void;
  /** The rows match the previous filter and are shown until the new ones are loaded. */
  isStale?: boolean;
};

/** Jobs as a table on wide screens, else as cards. */
export function JobRows({ isStale = false, jobs, ...props }: JobRowsProps) {
  const Rows = useIsWide() ? JobTable : JobCards;
  const shown = useFirstRows(jobs);
  return (
    <div className={classes.rows} data-stale={isStale}>
      <Rows jobs={shown} {...props} />
    </div>
  );
}

/** The placeholder rows of jobs and of executions. */
export function JobRowsSkeleton() {
  const isWide = useIsWide();
  return (
    <div aria-hidden data-testid="skeleton" className={isWide ? undefined : classes.cards}>
      {isWide && <div className={classes.skeletonHead} />}
      {Array.from({ length: 8 }, (_, row) => (
        <div key={row} className={isWide ? classes.skeletonRow : classes.skeletonCard}>
          <Skeleton height={22} width={88} />
          <Skeleton height={12} width={isWide ? '22%' : '60%'} />
          <Skeleton height={12} width={isWide ? '18%' : '40%'} />
          {isWide && <Skeleton height={12} width="10%" />}
          {isWide && <Skeleton height={12} width="20%" ml="auto" />}
        </div>
      ))}
    </div>
  );
}

/** Whether a table of eight columns fits with readable names. */
export const useIsWide = (): boolean => useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
