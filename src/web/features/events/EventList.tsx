import { Box, Button, Flex, Group } from '@mantine/core';
import { IconBolt } from '@tabler/icons-react';
import { useState } from 'react';
import { counted } from '#domain/in-words.ts';
import type { ListedEvent } from '#contract/events.ts';
import { useEvents, useRepeatEvent } from '#web/api/events.ts';
import { randomKey } from '#web/api/random-key.ts';
import filterClasses from '#web/features/jobs/JobFilters.module.css';
import { useJobsSearch } from '#web/features/jobs/jobs-search.ts';
import { ActDialog } from '#web/ui/ActDialog.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import { List } from '#web/ui/List.tsx';
import type { Column } from '#web/ui/Table.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { ButtonLink, TextLink } from '#web/ui/links.tsx';
import rows from '#web/ui/list.module.css';
import { notifyAnswer, notifySuccess } from '#web/ui/notify.tsx';
import prose from '#web/ui/prose.module.css';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { EffectText } from './EffectText.tsx';
import classes from './events.module.css';

/** The events that the API and hooks reported, latest first, with what each set off. */
export default function EventList() {
  const { event, change } = useJobsSearch();
  const events = useEvents(event);
  useErrorToast(events.data === undefined ? events.error : null, { title: 'Error loading events' });
  const { state, dialog, open } = useDialogState<ListedEvent>();
  const columns = columnsOf({ filter: event, onRepeat: open });
  return (
    <>
      <Group gap="8px 16px" justify="space-between" mb={16}>
        <p className={filterClasses.sentence}>What other systems reported, by the API or a hook</p>
        <div className={filterClasses.side}>
          <SearchBox
            className={filterClasses.search ?? ''}
            label="Filter by event name"
            value={event ?? ''}
            onSearch={(text) => change({ event: text?.slice(0, 100) }, { replace: true })}
          />
        </div>
      </Group>
      <List
        noun="events"
        of={events}
        columns={columns}
        card={(listed) => <Card event={listed} filter={event} onRepeat={open} />}
        extent={({ length }) => `${events.hasNextPage ? 'The latest ' : ''}${counted(length, 'event')}`}
        empty={{
          icon: IconBolt,
          title: 'No events yet',
          sentence: 'What other systems report to this workspace is listed here, with the jobs that it set off.',
          action: (
            <ButtonLink to="/api-docs" variant="default">
              How to report an event
            </ButtonLink>
          ),
        }}
        noMatch={
          event !== undefined && {
            title: 'No events match',
            sentence: 'No event of this workspace has a name that begins so.',
            all: 'Show all events',
            onShowAll: () => change({ event: undefined }),
          }
        }
      />
      {state.asked !== null && <RepeatEventDialog key={state.openCount} event={state.asked} {...dialog} />}
    </>
  );
}

type Shown = {
  /** The filter of the list, in which the jobs of an event open. */
  filter: string | undefined;
  onRepeat: (event: ListedEvent) => void;
};

const columnsOf = ({ filter, onRepeat }: Shown): readonly Column<ListedEvent>[] => [
  { title: 'Event', width: '26%', cell: (event) => <Name event={event} /> },
  {
    title: 'Reported by',
    width: '18%',
    cell: (event) => (
      <span className={rows.dimmed}>
        <Source event={event} />
      </span>
    ),
  },
  {
    title: 'Received',
    width: 176,
    cell: ({ created_at: at }) => (
      <span className={rows.when}>
        <RelativeTime at={at} />
        <span className={rows.small}>
          <InstantText at={at} />
        </span>
      </span>
    ),
  },
  { title: 'Set off', cell: (event) => <EffectText effect={event} within={{ tab: 'events', event: filter }} /> },
  { title: 'Actions', isUntitled: true, width: 124, cell: (event) => <Repeat event={event} onRepeat={onRepeat} /> },
];

const Card = ({ event, filter, onRepeat }: Shown & { event: ListedEvent }) => (
  <>
    <div className={rows.head}>
      <Source event={event} />
      <RelativeTime at={event.created_at} />
    </div>
    <Name event={event} />
    <div className={rows.facts}>
      <InstantText at={event.created_at} />
    </div>
    <EffectText effect={event} within={{ tab: 'events', event: filter }} />
    <Repeat event={event} onRepeat={onRepeat} />
  </>
);

function Name({ event: { event, key, is_repeat: isRepeat, cancelled_at: cancelledAt } }: { event: ListedEvent }) {
  return (
    <span className={classes.words}>
      <Flex component="span" gap="4px 8px" align="center" wrap="wrap" fw={560}>
        <code>{event}</code>
        {isRepeat && <Tag>Sent again</Tag>}
        {cancelledAt !== null && <Tag>Cancelled</Tag>}
      </Flex>
      <span className={`${prose.oneLine} ${prose.tiny}`} title={key}>
        {key}
      </span>
    </span>
  );
}

const Tag = ({ children }: { children: string }) => (
  <Box component="span" px="xs" bd="1px solid var(--mantine-color-default-border)" bdrs={999} fz="xs" fw={400}>
    {children}
  </Box>
);

function Source({ event: { source } }: { event: ListedEvent }) {
  if (source.kind === 'hook' && source.id !== null)
    return (
      <span className={classes.words}>
        <span>
          Hook of{' '}
          <TextLink to="/reminders/$id" params={{ id: source.id }} td="underline">
            {source.name}
          </TextLink>
        </span>
      </span>
    );
  return <span className={classes.words}>{source.kind === 'api_key' ? `API key ${source.name}` : 'API'}</span>;
}

/** Only what is kept can be sent again. */
const Repeat = ({ event, onRepeat }: { event: ListedEvent; onRepeat: (event: ListedEvent) => void }) =>
  event.can_be_repeated && (
    <Button
      size="compact-sm"
      variant="default"
      className={classes.repeat ?? ''}
      aria-label={`Send again: ${event.event} ${event.key}`}
      onClick={() => onRepeat(event)}
    >
      Send again
    </Button>
  );

type RepeatEventDialogProps = { event: ListedEvent; opened: boolean; onClose: () => void };

/** Asks before an event is sent again. However often it is confirmed, one opening sends it once. */
function RepeatEventDialog({ event: { id, event, source }, ...dialog }: RepeatEventDialogProps) {
  const [idempotencyKey] = useState(randomKey);
  const repeat = useRepeatEvent();
  const send = async () => {
    const { jobs, hint } = await repeat.mutateAsync({ id, idempotencyKey });
    if (jobs.length === 0) notifyAnswer('Event sent again', hint ?? 'It set off nothing.');
    else notifySuccess('Event sent again', `It set off ${jobs.length === 1 ? '1 job' : `${jobs.length} jobs`}.`);
  };
  return (
    <ActDialog
      title="Send this event again?"
      confirmLabel="Send again"
      color="cue"
      run={send}
      failed="Error sending the event again"
      {...dialog}
    >
      <p style={{ margin: 0, overflowWrap: 'anywhere' }}>
        {source.kind === 'hook' ? (
          <>
            The reminder <strong>{source.name}</strong> is set off once more
          </>
        ) : (
          <>
            Every active reminder that waits for <code>{event}</code> is set off once more
          </>
        )}
        , with the same data. Delays begin now. Whoever has had the message gets it again.
      </p>
    </ActDialog>
  );
}
