import { Button, Group, Stack } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCalendarPlus, IconCheck, IconCopy } from '@tabler/icons-react';
import { Dialog } from '#web/ui/Dialog.tsx';
import classes from './calendar-feeds.module.css';

/** A new address, which is shown only once. */
export function FeedAddressDialog({ url, opened, onClose }: { url: string; opened: boolean; onClose: () => void }) {
  const clipboard = useClipboard({ timeout: 2_000 });
  return (
    <Dialog title="Subscribe to the calendar" opened={opened} onClose={onClose}>
      <Stack gap={16}>
        <p className={classes.plain} role="status">
          Add this address to your calendar as a subscription. It is shown only now, and whoever has it can read the
          names and times of the reminders.
        </p>
        <code className={classes.address}>{url}</code>
        <Group justify="space-between" gap={8}>
          <Group gap={8}>
            <Button
              variant="default"
              leftSection={clipboard.copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
              onClick={() => clipboard.copy(url)}
              data-autofocus
            >
              {clipboard.copied ? 'Copied' : 'Copy address'}
            </Button>
            <Button
              component="a"
              href={url.replace(/^https?:/, 'webcal:')}
              variant="default"
              leftSection={<IconCalendarPlus size={16} aria-hidden />}
            >
              Open in calendar
            </Button>
          </Group>
          <Button onClick={onClose}>Done</Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
