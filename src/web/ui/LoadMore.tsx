import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './LoadMore.module.css';
import { messageOf } from './message-of.ts';

/** A paged query; a query with a single page has none of these. */
export type Paged = {
  hasNextPage?: boolean;
  isFetchingNextPage?: boolean;
  isFetchNextPageError?: boolean;
  error?: unknown;
  fetchNextPage?: () => unknown;
};

type LoadMoreProps = {
  /** The query to continue. */
  of: Paged;
  /** The shown range: `50 of 1,204 jobs`. */
  children?: ReactNode;
};

/** The foot of a paged list: the shown range and Load more. Renders nothing when there is neither. */
export function LoadMore({ of, children }: LoadMoreProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = of;
  if (!hasNextPage && !children) return null;
  return (
    <div className={classes.foot}>
      {isFetchNextPageError ? (
        <span role="status">Error loading more: {messageOf(error)}</span>
      ) : (
        <span>{children}</span>
      )}
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
