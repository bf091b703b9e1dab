import { Button } from '@mantine/core';
import { IconCalendarDown, IconPlus } from '@tabler/icons-react';
import { type CalendarSource, calendarSourceLimits } from '#contract/calendar-sources.ts';
import { useCalendarSources } from '#web/api/calendar-sources.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { CalendarSourceDialog } from './CalendarSourceDialog.tsx';
import { CalendarSourceRow } from './CalendarSourceRow.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './calendar-sources.module.css';
import { RemoveSourceDialog } from './RemoveSourceDialog.tsx';

type Asked = { to: 'add' } | { to: 'edit' | 'remove'; source: CalendarSource };

/** Calendars whose events become messages. Members see them; owners and admins change them. */
export default function CalendarSources({ workspaceId, mayChange }: { workspaceId: string; mayChange: boolean }) {
  const found = useCalendarSources(workspaceId);
  const { state, open, close } = useDialogState<Asked>();
  const { asked, openCount } = state;
  const dialog = { workspaceId, opened: state.isOpen, onClose: () => close(openCount) };
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
              <ul className={prose.list} aria-label="Calendars">
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
        {isFull && <p className={classes.text}>A workspace has at most {calendarSourceLimits.sources} calendars.</p>}
      </RecordSection>
      {asked?.to === 'add' && <CalendarSourceDialog key={openCount} source={null} {...dialog} />}
      {asked?.to === 'edit' && <CalendarSourceDialog key={openCount} source={asked.source} {...dialog} />}
      {asked?.to === 'remove' && <RemoveSourceDialog key={openCount} source={asked.source} {...dialog} />}
    </>
  );
}
