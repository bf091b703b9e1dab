import { Button } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { messageOf } from './message-of.ts';
import classes from './EmptyState.module.css';

type ErrorStateProps = {
  /** The failed action: 'Failed to load reminders'. */
  title: string;
  error: unknown;
  onRetry: () => void;
  isRetrying?: boolean;
};

/** The error state of a query: what failed, and Retry. */
export function ErrorState({ title, error, onRetry, isRetrying = false }: ErrorStateProps) {
  return (
    <div className={classes.empty} role="alert">
      <span className={classes.icon} data-tone="bad">
        <IconAlertTriangle size={24} stroke={1.6} aria-hidden />
      </span>
      <p className={classes.title}>{title}</p>
      <p className={classes.sentence}>{messageOf(error)}</p>
      <div className={classes.action}>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={onRetry}
          loading={isRetrying}
        >
          Retry
        </Button>
      </div>
    </div>
  );
}
