import { Box, Button, Group, Stack, Text } from '@mantine/core';
import { IconCalendarPlus } from '@tabler/icons-react';
import { agendaLimits } from '#contract/agenda.ts';
import type { CalendarFeed, NewCalendarFeed } from '#contract/calendar-feeds.ts';
import { useCalendarFeeds, useCreateCalendarFeed, useEndCalendarFeed } from '#web/api/calendar-feeds.ts';
import { act } from '#web/ui/act.ts';
import { CopyTextButton } from '#web/ui/CopyTextButton.tsx';
import { Dialog } from '#web/ui/Dialog.tsx';
import { InstantText } from '#web/ui/InstantText.tsx';
import list from '#web/ui/list.module.css';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import { RelativeTime } from '#web/ui/RelativeTime.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import prose from '#web/ui/prose.module.css';

const kinds = { workspace: 'All reminders', own: 'Reminders that you made' } as const;

/** The feeds by which a member sees in a calendar what the workspace will send. */
export function CalendarFeeds({ workspaceId }: { workspaceId: string }) {
  const found = useCalendarFeeds(workspaceId);
  const create = useCreateCalendarFeed(workspaceId);
  const end = useEndCalendarFeed(workspaceId);
  const { state, dialog, open } = useDialogState<NewCalendarFeed>();
  const isBusy = create.isPending || end.isPending;

  const make = (shows: CalendarFeed['shows']) =>
    act(create.mutateAsync(shows).then(open), { failed: 'Error creating the calendar feed' });
  const stop = (feed: CalendarFeed) =>
    act(end.mutateAsync(feed.id), {
      done: ['Calendar feed ended', 'Its address answers no more.'],
      failed: 'Error ending the calendar feed',
    });

  return (
    <RecordSection title="Calendar">
      <Text pb={14} px="var(--gutter)" c="dimmed">
        See what will be sent in the next {agendaLimits.days} days in Google Calendar, Outlook or Apple Calendar. A feed
        has a secret address of your own.
      </Text>
      <Loaded of={found} failed="Error loading calendar feeds">
        {(feeds) => (
          <ul aria-label="Calendar feeds">
            {(['workspace', 'own'] as const).map((shows) => {
              const feed = feeds.find((one) => one.shows === shows);
              return (
                <li key={shows} className={list.entry}>
                  <span className={list.words}>
                    <span className={prose.strong}>{kinds[shows]}</span>
                    <span className={prose.small}>{feed === undefined ? 'No feed' : <Use feed={feed} />}</span>
                  </span>
                  <span className={prose.actions}>
                    <Button
                      size="compact-sm"
                      variant="default"
                      disabled={isBusy}
                      aria-label={`${feed === undefined ? 'Create feed' : 'New address'}: ${kinds[shows]}`}
                      onClick={() => void make(shows)}
                    >
                      {feed === undefined ? 'Create feed' : 'New address'}
                    </Button>
                    {feed !== undefined && (
                      <Button
                        size="compact-sm"
                        variant="default"
                        disabled={isBusy}
                        aria-label={`End feed: ${kinds[shows]}`}
                        onClick={() => void stop(feed)}
                      >
                        End feed
                      </Button>
                    )}
                  </span>
                </li>
              );
            })}
          </ul>
        )}
      </Loaded>
      {state.asked !== null && <FeedAddressDialog key={state.openCount} url={state.asked.url} {...dialog} />}
    </RecordSection>
  );
}

const Use = ({ feed: { created_at: created, last_read_at: read } }: { feed: CalendarFeed }) => (
  <>
    Created <InstantText at={created} show="day" />.{' '}
    {read === null ? (
      'Not read yet.'
    ) : (
      <>
        Last read <RelativeTime at={read} />.
      </>
    )}
  </>
);

/** A new address, which is shown only once. */
function FeedAddressDialog({ url, opened, onClose }: { url: string; opened: boolean; onClose: () => void }) {
  return (
    <Dialog title="Subscribe to the calendar" opened={opened} onClose={onClose}>
      <Stack gap={16}>
        <p className={prose.plain} role="status">
          Add this address to your calendar as a subscription. It is shown only now, and whoever has it can read the
          names and times of the reminders.
        </p>
        <Box className={prose.breaks} component="code" py={10} px="sm" bd="1px solid var(--line)" bdrs="md">
          {url}
        </Box>
        <Group justify="space-between" gap={8}>
          <Group gap={8}>
            <CopyTextButton label="Copy address" text={url} data-autofocus />
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
