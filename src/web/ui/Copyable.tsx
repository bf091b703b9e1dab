import { ActionIcon, Box, Flex } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import prose from './prose.module.css';

type CopyableProps = {
  /** The text to copy. */
  text: string;
  /** The visible text; `text` by default. */
  shown?: string;
  /** The button's label for screen readers: `Copy job id`. */
  label: string;
};

/** An id, URL or expression in monospace with a copy button. */
export function Copyable({ text, shown = text, label }: CopyableProps) {
  const clipboard = useClipboard({ timeout: 1_500 });
  const Icon = clipboard.copied ? IconCheck : IconCopy;
  return (
    <Flex component="span" display="inline-flex" gap={4} align="center" maw="100%" miw={0}>
      <Box component="code" fz={13} className={prose.oneLine} title={text}>
        {shown}
      </Box>
      <ActionIcon
        data-hint={clipboard.copied ? 'Copied' : 'Copy'}
        variant="subtle"
        color="gray"
        size={24}
        aria-label={label}
        onClick={() => clipboard.copy(text)}
      >
        <Icon size={14} aria-hidden />
      </ActionIcon>
    </Flex>
  );
}
