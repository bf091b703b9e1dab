import { ActionIcon } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import classes from './Copyable.module.css';

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
    <span className={classes.copyable}>
      <code className={classes.text} title={text}>
        {shown}
      </code>
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
    </span>
  );
}
