import { Button, Skeleton } from '@mantine/core';
import { IconCalendarStats } from '@tabler/icons-react';
import { type Agenda, agendaLimits } from '#contract/agenda.ts';
import { counted } from '#domain/in-words.ts';
import { useAgenda } from '#web/api/agenda.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { useLast } from '#web/features/jobs/use-last.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { focusContent } from '#web/ui/focus-content.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { ButtonLink, TextLink } from '#web/ui/links.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { Loaded } from '#web/ui/Record.tsx';
import { AgendaDayDialog } from './AgendaDayDialog.tsx';
import { AgendaDays } from './AgendaDays.tsx';
import { AgendaFilters } from './AgendaFilters.tsx';
import { AgendaMonth } from './AgendaMonth.tsx';
import { useAgendaSearch } from './agenda-search.ts';
import { dayText } from './agenda-words.ts';
import classes from './agenda.module.css';

/** What is sent in the next 60 days, by day or as a month. */
export function AgendaScreen() {
  const { view, reminder, group, contact, tag, channel, day, change } = useAgendaSearch();
  const filter = { reminder, group, contact, tag, channel };
  const agenda = useAgenda(filter, { hasEntries: view !== 'month' });
  const opened = useLast(day);
  return (
    <>
      <PageHeader
        title="Agenda"
        subtitle={`What is sent in the next ${agendaLimits.days} days`}
        actions={
          <Button data-chrome variant="default" disabled={agenda.data === undefined} onClick={() => window.print()}>
            Print
          </Button>
        }
      />
      <AgendaFilters names={agenda.data?.names}>
        <ViewButtons />
      </AgendaFilters>
      <div className={classes.content} aria-busy={agenda.isPending || agenda.isPlaceholderData}>
        <Loaded
          of={agenda}
          failed="Error loading the agenda"
          skeleton={view === 'month' ? <MonthSkeleton /> : <AgendaSkeleton />}
        >
          {(data) => (
            <div data-stale={agenda.isPlaceholderData}>
              <Printed agenda={data} at={new Date(agenda.dataUpdatedAt).toISOString()} />
              <Remarks agenda={data} />
              {data.data.length === 0 ? (
                <None isFiltered={Object.values(filter).some((value) => value !== undefined)} />
              ) : view === 'month' ? (
                <AgendaMonth agenda={data} />
              ) : (
                <AgendaDays agenda={data} />
              )}
            </div>
          )}
        </Loaded>
      </div>
      {opened && (
        <AgendaDayDialog
          key={opened}
          filter={{ ...filter, day: opened }}
          opened={day !== undefined}
          onClose={() => change({ day: undefined })}
        />
      )}
    </>
  );
}

function ViewButtons() {
  const { view, change } = useAgendaSearch();
  const choices = [
    { label: 'Days', of: undefined },
    { label: 'Month', of: 'month' },
  ] as const;
  return (
    <div className={classes.views} role="group" aria-label="View">
      {choices.map(({ label, of }) => (
        <Button
          key={label}
          variant={view === of ? 'light' : 'subtle'}
          color={view === of ? undefined : 'gray'}
          size="compact-sm"
          h={34}
          aria-pressed={view === of}
          onClick={() => change({ view: of })}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

/** What the figures mean, and what they cannot know. */
function Remarks({ agenda }: { agenda: Agenda }) {
  const { event_reminders: waiting, reminders_paused_until: pausedUntil, is_complete: isComplete, to } = agenda;
  return (
    <ul className={classes.remarks}>
      <li>
        Times and days are those of {viewerZone()}. People are counted as of now: who belongs to a group or a tag is
        asked again when it is sent.
      </li>
      {waiting > 0 && (
        <li>
          {counted(waiting, 'active reminder')} {waiting === 1 ? 'waits' : 'wait'} for an event: when{' '}
          {waiting === 1 ? 'it is' : 'they are'} sent cannot be known before.{' '}
          <TextLink to="/reminders" data-chrome>
            See reminders
          </TextLink>
        </li>
      )}
      {pausedUntil !== null && (
        <li>
          All reminders are paused until <InstantText at={pausedUntil} />: what they would send before is left out.
        </li>
      )}
      {!isComplete && (
        <li>
          There is more than an agenda holds. Everything until {dayText(to)} is here; choose a filter to see further.
        </li>
      )}
    </ul>
  );
}

/** On paper: whose agenda it is, of when, and of what. */
function Printed({ agenda: { names }, at }: { agenda: Agenda; at: string }) {
  const { channel, tag } = useAgendaSearch();
  const { workspace } = useWorkspace();
  const of = [names.reminder, names.group, names.contact, tag, channel].filter(
    (name) => name !== null && name !== undefined,
  );
  return (
    <p className={classes.printed}>
      {workspace.name}
      {of.length > 0 && ` · ${of.join(' · ')}`} · as of <InstantText at={at} />
    </p>
  );
}

function None({ isFiltered }: { isFiltered: boolean }) {
  const { change } = useAgendaSearch();
  const showAll = () => {
    change({ reminder: undefined, group: undefined, contact: undefined, tag: undefined, channel: undefined });
    focusContent();
  };
  return (
    <div className={classes.card}>
      {isFiltered ? (
        <EmptyState
          icon={IconCalendarStats}
          title="Nothing matches"
          sentence={`Nothing of these filters is sent in the next ${agendaLimits.days} days.`}
          action={
            <Button variant="default" onClick={showAll}>
              Show everything
            </Button>
          }
        />
      ) : (
        <EmptyState
          icon={IconCalendarStats}
          title="Nothing is planned"
          sentence={`No active reminder is sent in the next ${agendaLimits.days} days. What reminders, calendars and the API will send is listed here by day.`}
          action={<ButtonLink to="/reminders/new">Create a reminder</ButtonLink>}
        />
      )}
    </div>
  );
}

const MonthSkeleton = () => (
  <div role="status" aria-label="Loading the agenda">
    <Skeleton height={12} width="55%" mb={20} />
    <div className={classes.card} aria-hidden>
      <div className={classes.head}>
        <Skeleton height={16} width={180} />
      </div>
      <Skeleton height={440} m="8px var(--gutter) 20px" width="auto" />
    </div>
  </div>
);

const AgendaSkeleton = () => (
  <div role="status" aria-label="Loading the agenda">
    <Skeleton height={12} width="55%" mb={20} />
    {[3, 2, 4].map((rows) => (
      <div key={rows} className={classes.card} aria-hidden>
        <div className={classes.head}>
          <Skeleton height={16} width={180} />
          <Skeleton height={12} width={90} />
        </div>
        {Array.from({ length: rows }, (_, row) => (
          <div key={row} className={classes.row}>
            <Skeleton height={12} width={40} />
            <Skeleton height={12} width={`${30 + ((row * 11) % 20)}%`} />
            <Skeleton height={12} width={90} ml="auto" />
          </div>
        ))}
      </div>
    ))}
  </div>
);
