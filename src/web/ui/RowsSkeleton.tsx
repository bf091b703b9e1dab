import { Skeleton } from '@mantine/core';
import classes from './list.module.css';

type RowsSkeletonProps = { label?: string; count?: number };

/** A list as it loads; a part of a card or dialog has fewer rows. */
export const RowsSkeleton = ({ label = 'Loading', count = 10 }: RowsSkeletonProps) => (
  <div role="status" aria-label={label}>
    {Array.from({ length: count }, (_, row) => (
      <div key={row} className={classes.skeleton} aria-hidden>
        <Skeleton height={18} width={18} />
        <Skeleton height={12} width={`${24 + ((row * 7) % 16)}%`} />
        <Skeleton height={12} width="16%" ml="auto" />
      </div>
    ))}
  </div>
);
