import { Button, Group, Stack } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import type { NewApiKey } from '#contract/api-keys.ts';
import classes from './api-keys.module.css';

/** A new key, which is shown only once. */
export function NewKey({ made, onDone }: { made: NewApiKey; onDone: () => void }) {
  const clipboard = useClipboard({ timeout: 2_000 });
  return (
    <Stack gap={16}>
      <p className={classes.text} role="status">
        This is the key of {made.name}. It is shown only now: keep it where your program finds it and nobody else does.
      </p>
      <code className={classes.key}>{made.key}</code>
      <Group justify="space-between" gap={8}>
        <Button
          variant="default"
          leftSection={clipboard.copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          onClick={() => clipboard.copy(made.key)}
        >
          {clipboard.copied ? 'Copied' : 'Copy key'}
        </Button>
        {/* The second click of a double click was for the button that stood here. */}
        <Button onClick={({ detail }) => detail < 2 && onDone()}>I have saved it</Button>
      </Group>
    </Stack>
  );
}
