import { Button } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { EmptyState } from './EmptyState.tsx';
import { messageOf } from './message-of.ts';

type ErrorStateProps = {
  /** The failed action: 'Error loading contacts'. */
  title: string;
  of: { error: unknown; refetch: () => unknown; isFetching: boolean };
};

/** The error state of a query: what failed, and Retry. */
export function ErrorState({ title, of: { error, refetch, isFetching } }: ErrorStateProps) {
  const retry = (
    <Button
      variant="default"
      leftSection={<IconRefresh size={16} aria-hidden />}
      onClick={() => void refetch()}
      loading={isFetching}
    >
      Retry
    </Button>
  );
  return (
    <div role="alert">
      <EmptyState icon={IconAlertTriangle} tone="bad" title={title} sentence={messageOf(error)} action={retry} />
    </div>
  );
}
