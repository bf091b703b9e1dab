import { Button, Card, Center, SimpleGrid } from '@mantine/core';
import { IconBell, IconPlus } from '@tabler/icons-react';
import { type ReactNode, useState } from 'react';
import type { Reminder } from '#contract/reminders.ts';
import type { useReminders } from '#web/api/reminders.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { DeleteReminderDialog } from './DeleteReminderDialog.tsx';
import { ReminderCard } from './ReminderCard.tsx';
import { ReminderCardSkeleton } from './ReminderCardSkeleton.tsx';
import { TestReminderDialog } from './TestReminderDialog.tsx';

type ReminderListProps = { reminders: ReturnType<typeof useReminders>; isFiltered: boolean };

/** The cards, or what stands in their place while there are none. */
export function ReminderList({ reminders, isFiltered }: ReminderListProps) {
  if (reminders.isPending) return <LoadingCards />;
  if (!reminders.data) {
    return (
      <Card>
        <ErrorState
          title="Failed to load reminders"
          error={reminders.error}
          onRetry={() => void reminders.refetch()}
          isRetrying={reminders.isFetching}
        />
      </Card>
    );
  }
  if (reminders.data.length === 0) return <NoReminders isFiltered={isFiltered} />;
  return (
    <>
      <Cards reminders={reminders.data} />
      {reminders.hasNextPage && (
        <Center mt={24}>
          <Button
            variant="default"
            loading={reminders.isFetchingNextPage}
            onClick={() => void reminders.fetchNextPage()}
          >
            Load more
          </Button>
        </Center>
      )}
    </>
  );
}

type Asked = { to: 'test' | 'delete'; reminder: Reminder };

function Cards({ reminders }: { reminders: Reminder[] }) {
  // Kept while the dialog closes, so that it does not empty before it is gone.
  const [asked, setAsked] = useState<Asked | null>(null);
  const [isOpen, setIsOpen] = useState(false);
  const ask = (to: Asked['to'], reminder: Reminder) => {
    setAsked({ to, reminder });
    setIsOpen(true);
  };
  const dialog = { opened: isOpen, onClose: () => setIsOpen(false) };
  return (
    <>
      <CardGrid>
        {reminders.map((reminder) => (
          <ReminderCard
            key={reminder.id}
            reminder={reminder}
            onTest={() => ask('test', reminder)}
            onDelete={() => ask('delete', reminder)}
          />
        ))}
      </CardGrid>
      {asked?.to === 'test' && <TestReminderDialog key={asked.reminder.id} reminder={asked.reminder} {...dialog} />}
      {asked?.to === 'delete' && <DeleteReminderDialog reminder={asked.reminder} {...dialog} />}
    </>
  );
}

function NoReminders({ isFiltered }: { isFiltered: boolean }) {
  return (
    <Card>
      <EmptyState
        icon={IconBell}
        title="No reminders found"
        sentence={isFiltered ? 'Try adjusting your search or filters' : 'Get started by creating your first reminder'}
        action={
          !isFiltered && (
            <ButtonLink to="/reminders/new" leftSection={<IconPlus size={16} aria-hidden />}>
              Create Reminder
            </ButtonLink>
          )
        }
      />
    </Card>
  );
}

function LoadingCards() {
  return (
    <div aria-busy aria-label="Loading reminders" role="status">
      <CardGrid>
        {[1, 2, 3, 4].map((card) => (
          <ReminderCardSkeleton key={card} />
        ))}
      </CardGrid>
    </div>
  );
}

const CardGrid = ({ children }: { children: ReactNode }) => (
  <SimpleGrid cols={{ base: 1, sm: 2 }} spacing={16}>
    {children}
  </SimpleGrid>
);
