import { Skeleton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import type { Job } from '#contract/jobs.ts';
import { JobCards } from './JobCards.tsx';
import { JobTable } from './JobTable.tsx';
import classes from './rows.module.css';

export type JobRowsProps = {
  jobs: Job[];
  onCancel: (job: Job) => void;
  /** The rows are of the filter before, shown until those of the new one come. */
  isStale?: boolean;
};

/** Jobs as a table where it fits, else as cards. */
export function JobRows({ isStale = false, ...props }: JobRowsProps) {
  const Rows = useIsWide() ? JobTable : JobCards;
  return (
    <div className={classes.rows} data-stale={isStale}>
      <Rows {...props} />
    </div>
  );
}

/** The shape of what comes, for jobs and for executions. */
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

/** Room for a table of eight columns whose names can be read. */
export const useIsWide = (): boolean => useMediaQuery('(min-width: 75em)', true, { getInitialValueInEffect: false });
