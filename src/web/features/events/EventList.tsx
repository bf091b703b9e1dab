import { Button } from '@mantine/core';
import { IconBolt, IconFilterOff } from '@tabler/icons-react';
import type { ListedEvent } from '#contract/events.ts';
import { useEvents } from '#web/api/events.ts';
import filterClasses from '#web/features/jobs/JobFilters.module.css';
import { JobRowsSkeleton } from '#web/features/jobs/JobRows.tsx';
import { useJobsSearch } from '#web/features/jobs/jobs-search.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { ListCard } from '#web/ui/ListCard.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { EventRows } from './EventRows.tsx';
import { RepeatEventDialog } from './RepeatEventDialog.tsx';

const failed = 'Error loading events';

/** The events that the API and hooks reported, latest first, with what each set off. */
export default function EventList() {
  const { event, change } = useJobsSearch();
  const events = useEvents(event);
  useErrorToast(events.error, { title: failed });
  const { state, open, close } = useDialogState<ListedEvent>();
  return (
    <>
      <div className={filterClasses.filters}>
        <p className={filterClasses.sentence}>What other systems reported, by the API or a hook</p>
        <div className={filterClasses.side}>
          <SearchBox
            className={filterClasses.search ?? ''}
            label="Filter by event name"
            value={event ?? ''}
            onSearch={(text) => change({ event: text.slice(0, 100) || undefined }, { replace: true })}
          />
        </div>
      </div>
      <ListCard label="Events" of={events} failed={failed} skeleton={<JobRowsSkeleton />} empty={<NoEvents />}>
        {(shown) => (
          <>
            <EventRows events={shown} filter={event} onRepeat={open} isStale={events.isPlaceholderData} />
            <LoadMore of={events}>
              {events.hasNextPage && 'The latest '}
              {shown.length.toLocaleString('en')} {shown.length === 1 ? 'event' : 'events'}
            </LoadMore>
          </>
        )}
      </ListCard>
      {state.asked !== null && (
        <RepeatEventDialog
          key={state.openCount}
          event={state.asked}
          opened={state.isOpen}
          onClose={() => close(state.openCount)}
        />
      )}
    </>
  );
}

function NoEvents() {
  const { event, change } = useJobsSearch();
  if (event !== undefined)
    return (
      <EmptyState
        icon={IconFilterOff}
        title="No events match"
        sentence="No event of this workspace has a name that begins so."
        action={
          <Button variant="default" onClick={() => change({ event: undefined })}>
            Show all events
          </Button>
        }
      />
    );
  return (
    <EmptyState
      icon={IconBolt}
      title="No events yet"
      sentence="What other systems report to this workspace is listed here, with the jobs that it set off."
      action={
        <ButtonLink to="/api-docs" variant="default">
          How to report an event
        </ButtonLink>
      }
    />
  );
}
