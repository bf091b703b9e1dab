import { SimpleGrid, Skeleton } from '@mantine/core';
import { CardSkeleton } from '#web/ui/CardSkeleton.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import classes from './ShellSkeleton.module.css';

/** The frame of a signed-in screen while the workspaces load. */
export function ShellSkeleton() {
  return (
    <div aria-busy aria-label="Loading" role="status">
      <div className={classes.bar}>
        <Logo withName />
        <Skeleton width={160} height={32} ml="auto" />
        <Skeleton circle height={32} />
      </div>
      <div className={classes.content}>
        <Skeleton width={200} height={28} mb={32} />
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
          <CardSkeleton />
          <CardSkeleton />
          <CardSkeleton />
          <CardSkeleton />
        </SimpleGrid>
      </div>
    </div>
  );
}
