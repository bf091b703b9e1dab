import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './LoadMore.module.css';

type LoadMoreProps = {
  /** The paged query whose next page is offered. */
  of: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
  /** What is shown so far: `50 of 1,204 jobs`. */
  children?: ReactNode;
};

/** The foot of a paged list: how much of it is shown, and the way to more. Nothing, when there is neither. */
export function LoadMore({ of: { hasNextPage, isFetchingNextPage, fetchNextPage }, children }: LoadMoreProps) {
  if (!hasNextPage && !children) return null;
  return (
    <div className={classes.foot}>
      <span>{children}</span>
      {hasNextPage && (
        <Button variant="default" size="xs" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Load more
        </Button>
      )}
    </div>
  );
}
