import { Skeleton } from '@mantine/core';
import classes from './admin.module.css';

/** Rows of a table as they load. */
export const RowsSkeleton = ({ label }: { label: string }) => (
  <div role="status" aria-label={label} className={classes.skeleton}>
    {[60, 45, 70, 50, 65].map((width) => (
      <Skeleton key={width} height={14} width={`${width}%`} />
    ))}
  </div>
);
