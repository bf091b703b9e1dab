import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { CodeText } from '#web/ui/JsonText.tsx';
import classes from './hooks.module.css';

/** A command of the shell, to be copied. */
export function CommandText({ label, children }: { label: string; children: string }) {
  const clipboard = useClipboard({ timeout: 1_500 });
  return (
    <div className={classes.command}>
      <div className={classes.commandHead}>
        <span>{label}</span>
        <Button
          size="compact-sm"
          variant="subtle"
          color="gray"
          aria-label={`Copy: ${label}`}
          leftSection={clipboard.copied ? <IconCheck size={14} aria-hidden /> : <IconCopy size={14} aria-hidden />}
          onClick={() => clipboard.copy(children)}
        >
          {clipboard.copied ? 'Copied' : 'Copy'}
        </Button>
      </div>
      <CodeText label={label}>{children}</CodeText>
    </div>
  );
}
