import '@mantine/core/styles/Radio.layer.css';
import { Button, Group, Radio, Stack } from '@mantine/core';
import { useState } from 'react';
import type { CalendarSource } from '#contract/calendar-sources.ts';
import { useRemoveCalendarSource } from '#web/api/calendar-sources.ts';
import { act } from '#web/ui/act.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { focusContent } from '#web/ui/focus-content.ts';

type Props = { workspaceId: string; source: CalendarSource; opened: boolean; onClose: () => void };

/** Asks what becomes of the reminder. */
export function RemoveSourceDialog({ workspaceId, source, opened, onClose }: Props) {
  const { mutateAsync, isPending } = useRemoveCalendarSource(workspaceId);
  const [reminder, setReminder] = useState<'delete' | 'keep'>('delete');
  const confirm = async () => {
    if (
      !(await act(mutateAsync({ id: source.id, reminder }), {
        done: ['Calendar removed', `${source.name} is not read any more.`],
        failed: 'Error removing the calendar',
      }))
    )
      return;
    onClose();
    // The button that opened the dialog is removed with its row.
    focusContent();
  };
  return (
    <Dialog title={`Remove ${source.name}?`} opened={opened} onClose={onClose}>
      <Stack gap={20}>
        <Radio.Group
          label="Its reminder"
          value={reminder}
          onChange={(value) => setReminder(value === 'keep' ? 'keep' : 'delete')}
        >
          <Stack gap={12} mt={8}>
            <Radio
              value="delete"
              label="Delete it"
              description={`${source.scheduled.toLocaleString('en')} planned messages are not sent. It can be restored for a day.`}
            />
            <Radio
              value="keep"
              label="Keep it"
              description="What is planned is sent, but no longer follows the calendar."
            />
          </Stack>
        </Radio.Group>
        <Group justify="flex-end" gap={8}>
          <Button variant="default" onClick={onClose} data-autofocus>
            Cancel
          </Button>
          <Button color="red" loading={isPending} onClick={() => void confirm()}>
            Remove calendar
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
