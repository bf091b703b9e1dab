import '@mantine/core/styles/Radio.layer.css';
import { Button, Radio, Stack, Text } from '@mantine/core';
import { IconCalendarDown, IconPlus } from '@tabler/icons-react';
import { useState } from 'react';
import { type CalendarSource, calendarSourceLimits } from '#contract/calendar-sources.ts';
import { useCalendarSources, useRemoveCalendarSource } from '#web/api/calendar-sources.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { CalendarSourceDialog } from './CalendarSourceDialog.tsx';
import { CalendarSourceRow } from './CalendarSourceRow.tsx';

type Asked = { to: 'add' } | { to: 'edit' | 'remove'; source: CalendarSource };

/** Calendars whose events become messages. Members see them; owners and admins change them. */
export default function CalendarSources({ workspaceId, mayChange }: { workspaceId: string; mayChange: boolean }) {
  const found = useCalendarSources(workspaceId);
  const { state, dialog: shown, open } = useDialogState<Asked>();
  const { asked, openCount } = state;
  const dialog = { workspaceId, ...shown };
  const isFull = (found.data?.length ?? 0) >= calendarSourceLimits.sources;
  return (
    <>
      <RecordSection
        title="Reminders from calendars"
        aside={
          mayChange && (
            <Button
              size="sm"
              leftSection={<IconPlus size={16} aria-hidden />}
              disabled={isFull}
              onClick={() => open({ to: 'add' })}
            >
              Add calendar
            </Button>
          )
        }
      >
        <Loaded of={found} failed="Error loading calendars">
          {(sources) =>
            sources.length === 0 ? (
              <EmptyState
                icon={IconCalendarDown}
                title="No calendars yet"
                sentence="Add the address of a calendar or a file: a message is sent before each of its events, and moves with it."
              />
            ) : (
              <ul aria-label="Calendars">
                {sources.map((source) => (
                  <CalendarSourceRow
                    key={source.id}
                    workspaceId={workspaceId}
                    source={source}
                    mayChange={mayChange}
                    onEdit={() => open({ to: 'edit', source })}
                    onRemove={() => open({ to: 'remove', source })}
                  />
                ))}
              </ul>
            )
          }
        </Loaded>
        {isFull && (
          <Text py="sm" px="var(--gutter)" c="dimmed">
            A workspace has at most {calendarSourceLimits.sources} calendars.
          </Text>
        )}
      </RecordSection>
      {asked?.to === 'add' && <CalendarSourceDialog key={openCount} source={null} {...dialog} />}
      {asked?.to === 'edit' && <CalendarSourceDialog key={openCount} source={asked.source} {...dialog} />}
      {asked?.to === 'remove' && <RemoveSourceDialog key={openCount} source={asked.source} {...dialog} />}
    </>
  );
}

type Props = { workspaceId: string; source: CalendarSource; opened: boolean; onClose: () => void };

/** Asks what becomes of the reminder. */
function RemoveSourceDialog({ workspaceId, source, ...dialog }: Props) {
  const { mutateAsync } = useRemoveCalendarSource(workspaceId);
  const [reminder, setReminder] = useState<'delete' | 'keep'>('delete');
  return (
    <ActDialog
      {...dialog}
      title={`Remove ${source.name}?`}
      width={480}
      confirmLabel="Remove calendar"
      run={() => mutateAsync({ id: source.id, reminder })}
      done={['Calendar removed', `${source.name} is not read any more.`]}
      failed="Error removing the calendar"
      removesOpener
    >
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
    </ActDialog>
  );
}
