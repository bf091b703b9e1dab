import { Stack, Text, Group } from '@mantine/core';
import type { IconProps } from '@tabler/icons-react';
import type { ComponentType, ReactNode } from 'react';
import type { Tone } from '#web/app/theme.ts';
import classes from './EmptyState.module.css';

type EmptyStateProps = {
  icon: ComponentType<IconProps>;
  title: string;
  /** The purpose of the list, or how to fill it. */
  sentence?: ReactNode;
  /** The main next step. */
  action?: ReactNode;
  tone?: Tone;
};

/** The empty state of a list. */
export function EmptyState({ icon: Icon, title, sentence, action, tone }: EmptyStateProps) {
  return (
    <Stack gap={0} align="center" px={16} py={40} ta="center">
      <span className={classes.icon} data-tone={tone}>
        <Icon size={24} stroke={1.6} aria-hidden />
      </span>
      <Text fz="lg" fw={600}>
        {title}
      </Text>
      {sentence && <p className={classes.sentence}>{sentence}</p>}
      {action && (
        <Group gap="8px 16px" justify="center" mt={16}>
          {action}
        </Group>
      )}
    </Stack>
  );
}
