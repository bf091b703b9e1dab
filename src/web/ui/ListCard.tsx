import { Card } from '@mantine/core';
import type { ReactNode } from 'react';
import { ErrorState } from './ErrorState.tsx';
import { StaleLine } from './StaleLine.tsx';

type ListCardProps<Row> = {
  label: string;
  of: {
    data: readonly Row[] | undefined;
    error: Error | null;
    isPending: boolean;
    isPlaceholderData: boolean;
    isFetching: boolean;
    dataUpdatedAt: number;
    refetch: () => unknown;
  };
  /** What is said where the list cannot be read. */
  failed: string;
  skeleton: ReactNode;
  empty: ReactNode;
  /** Shows the rows; there is at least one. */
  children: (rows: readonly Row[]) => ReactNode;
};

/** A list in a card, as it loads, fails, is empty or full. */
export const ListCard = <Row,>({ label, of: list, failed, skeleton, empty, children }: ListCardProps<Row>) => (
  <Card padding={0} component="section" aria-label={label} aria-busy={list.isPending || list.isPlaceholderData}>
    {list.isPending ? (
      skeleton
    ) : list.data === undefined ? (
      <ErrorState title={failed} error={list.error} onRetry={() => void list.refetch()} isRetrying={list.isFetching} />
    ) : list.data.length === 0 ? (
      empty
    ) : (
      <>
        <StaleLine of={list} failed={failed} />
        {children(list.data)}
      </>
    )}
  </Card>
);
