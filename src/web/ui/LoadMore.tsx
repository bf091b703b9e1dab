import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './LoadMore.module.css';

/** A paged query; a query with a single page has none of these. */
export type Paged = { hasNextPage?: boolean; isFetchingNextPage?: boolean; fetchNextPage?: () => unknown };

type LoadMoreProps = {
  /** The query to continue. */
  of: Paged;
  /** The shown range: `50 of 1,204 jobs`. */
  children?: ReactNode;
};

/** The foot of a paged list: the shown range and Load more. Renders nothing when there is neither. */
export function LoadMore({ of: { hasNextPage, isFetchingNextPage, fetchNextPage }, children }: LoadMoreProps) {
  if (!hasNextPage && !children) return null;
  return (
    <div className={classes.foot}>
      <span>{children}</span>
      {hasNextPage && (
        <Button
          variant="default"
          size="xs"
          loading={isFetchingNextPage === true}
          onClick={() => void fetchNextPage?.()}
        >
          Load more
        </Button>
      )}
    </div>
  );
}
