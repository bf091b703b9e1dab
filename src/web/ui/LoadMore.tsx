import { Button } from '@mantine/core';
import { type ReactNode, useEffect, useRef } from 'react';
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

/** The foot of a paged list: the shown range and Load more, after whose last page it has the focus. Renders nothing when there is neither. */
export function LoadMore({ of, children }: LoadMoreProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = of;
  const foot = useRef<HTMLDivElement>(null);
  const isAsked = useRef(false);
  useEffect(() => {
    if (hasNextPage || !isAsked.current) return;
    isAsked.current = false;
    if (document.activeElement === document.body) foot.current?.focus({ preventScroll: true });
  }, [hasNextPage]);
  const loadMore = () => {
    isAsked.current = true;
    void fetchNextPage?.();
  };
  if (!hasNextPage && !children) return <div ref={foot} tabIndex={-1} />;
  return (
    <div ref={foot} tabIndex={-1} className={classes.foot}>
      {isFetchNextPageError ? (
        <span role="status">Error loading more: {messageOf(error)}</span>
      ) : (
        <span>{children}</span>
      )}
      {hasNextPage && (
        <Button variant="default" size="xs" loading={isFetchingNextPage === true} onClick={loadMore}>
          Load more
        </Button>
      )}
    </div>
  );
}
