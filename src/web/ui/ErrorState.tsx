import { Button, Group, Stack, Text } from '@mantine/core';
import { IconAlertTriangle, IconRefresh } from '@tabler/icons-react';
import { messageOf } from './message-of.ts';
import classes from './EmptyState.module.css';

type ErrorStateProps = {
  /** The failed action: 'Failed to load reminders'. */
  title: string;
  of: { error: unknown; refetch: () => unknown; isFetching: boolean };
};

/** The error state of a query: what failed, and Retry. */
export function ErrorState({ title, of: { error, refetch, isFetching } }: ErrorStateProps) {
  return (
    <Stack gap={0} align="center" px={16} py={40} ta="center" role="alert">
      <span className={classes.icon} data-tone="bad">
        <IconAlertTriangle size={24} stroke={1.6} aria-hidden />
      </span>
      <Text fz="lg" fw={600}>
        {title}
      </Text>
      <p className={classes.sentence}>{messageOf(error)}</p>
      <Group gap="8px 16px" justify="center" mt={16}>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} aria-hidden />}
          onClick={() => void refetch()}
          loading={isFetching}
        >
          Retry
        </Button>
      </Group>
    </Stack>
  );
}
