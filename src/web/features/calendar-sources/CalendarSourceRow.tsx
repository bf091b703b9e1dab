import { capitalized } from '#domain/in-words.ts';
import { Button, Stack, Text } from '@mantine/core';
import type { CalendarOffset, CalendarSource } from '#contract/calendar-sources.ts';
import { usePauseCalendarSource, useReadCalendarSource } from '#web/api/calendar-sources.ts';
import { act } from '#web/ui/act.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { TextLink } from '#web/ui/links.tsx';
import { notifyError, notifySuccess } from '#web/ui/notify.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './calendar-sources.module.css';
import { LeftOutList } from './LeftOutList.tsx';

type Props = {
  workspaceId: string;
  source: CalendarSource;
  mayChange: boolean;
  onEdit: () => void;
  onRemove: () => void;
};

/** A calendar with its state, and what can be done with it. */
export function CalendarSourceRow({ workspaceId, source, mayChange, onEdit, onRemove }: Props) {
  const read = useReadCalendarSource(workspaceId);
  const pause = usePauseCalendarSource(workspaceId);
  const isActive = source.reminder.status === 'active';
  const isBusy = read.isPending || pause.isPending;

  const readNow = () =>
    act(
      read.mutateAsync(source.id).then(({ failure }) => {
        if (failure === null) notifySuccess('Calendar read', 'Its messages are up to date.');
        else notifyError('The calendar could not be read', failure);
      }),
      { failed: 'Error reading the calendar' },
    );
  const toggle = () =>
    act(pause.mutateAsync({ reminderId: source.reminder.id, status: isActive ? 'paused' : 'active' }), {
      done: isActive
        ? ['Calendar paused', 'Nothing of it is sent until you resume it.']
        : ['Calendar resumed', 'Its messages are sent again.'],
      failed: isActive ? 'Error pausing the calendar' : 'Error resuming the calendar',
    });

  return (
    <li className={classes.row}>
      <Stack className={prose.breaks} gap={2} flex="1 1 280px" miw={0}>
        <TextLink to="/reminders/$id" params={{ id: source.reminder.id }} className={prose.strong}>
          {source.name}
        </TextLink>
        <span className={prose.note}>
          {source.host ?? source.file_name}. {offsetsInWords(source.offsets)}.
        </span>
        <span className={prose.note}>
          <State source={source} />
        </span>
        {source.failure !== null && (
          <Text mt={6} pl={10} role="status">
            {source.failure} Since <InstantText at={source.failing_since ?? source.created_at} />, what was planned
            before stays. Next attempt <RelativeTime at={source.next_read_at} />.
          </Text>
        )}
        <LeftOutList of={source.left_out} />
      </Stack>
      {mayChange && (
        <div className={prose.actions}>
          <Action label="Read now" of={source} isDisabled={isBusy} onClick={() => void readNow()} />
          <Action label={isActive ? 'Pause' : 'Resume'} of={source} isDisabled={isBusy} onClick={() => void toggle()} />
          <Action label="Edit" of={source} isDisabled={isBusy} onClick={onEdit} />
          <Action label="Remove" of={source} isDisabled={isBusy} onClick={onRemove} />
        </div>
      )}
    </li>
  );
}

const Action = ({
  label,
  of,
  isDisabled,
  onClick,
}: {
  label: string;
  of: CalendarSource;
  isDisabled: boolean;
  onClick: () => void;
}) => (
  <Button
    size="compact-sm"
    variant="default"
    disabled={isDisabled}
    aria-label={`${label}: ${of.name}`}
    onClick={onClick}
  >
    {label}
  </Button>
);

function State({ source: { reminder, scheduled, next_at: next, last_read_at: read } }: { source: CalendarSource }) {
  return (
    <>
      {reminder.status !== 'active' && 'Paused. '}
      {scheduled === 0
        ? 'No planned messages'
        : `${scheduled.toLocaleString('en')} planned ${scheduled === 1 ? 'message' : 'messages'}`}
      {next !== null && (
        <>
          , the next on <InstantText at={next} />
        </>
      )}
      .{' '}
      {read === null ? (
        'Not read yet.'
      ) : (
        <>
          Last read <RelativeTime at={read} />.
        </>
      )}
    </>
  );
}

/** "1 day before, at the start". */
const offsetsInWords = (offsets: readonly CalendarOffset[]) => capitalized(offsets.map(offsetInWords).join(', '));

const offsetInWords = ({ amount, unit }: CalendarOffset): string =>
  amount === 0 ? 'at the start' : `${amount} ${amount === 1 ? unit.slice(0, -1) : unit} before`;
