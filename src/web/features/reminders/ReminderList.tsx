import { Anchor, Card, Skeleton } from '@mantine/core';
import { IconBell, IconPlus } from '@tabler/icons-react';
import { useNavigate } from '@tanstack/react-router';
import { useCallback, useEffect, useRef } from 'react';
import { useReminders } from '#web/api/reminder-list.ts';
import card from '#web/ui/card.module.css';
import { List } from '#web/ui/List.tsx';
import { ButtonLink } from '#web/ui/links.tsx';
import { LoadMore, type Paged } from '#web/ui/LoadMore.tsx';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { type AskedDialog, useReminderActs } from './act-on-reminder.ts';
import classes from './ReminderCard.module.css';
import { ReminderCard } from './ReminderCard.tsx';
import { pageSizes, useRemindersSearch } from './reminders-search.ts';
import { ReminderTable } from './ReminderTable.tsx';
import type { ReminderSummary } from '#contract/reminders.ts';

/** Opens a dialog by the URL, so that Back closes it. */
function useOpenDialog() {
  const navigate = useNavigate({ from: '/reminders' });
  return useCallback(
    (dialog: AskedDialog) => void navigate({ search: (before) => ({ ...before, ...dialog }), resetScroll: false }),
    [navigate],
  );
}

/** The matching reminders, as cards or as a table. */
export function ReminderList() {
  const { search, status, sort, view, change } = useRemindersSearch();
  const isTable = view === 'table';
  const reminders = useReminders({ search, status, sort }, isTable ? pageSizes.table : pageSizes.cards);
  const { acts, dialog } = useReminderActs({ open: useOpenDialog() });
  useErrorToast(reminders.data === undefined ? reminders.error : null, {
    title: 'Error',
    message: 'Failed to load reminders',
  });
  return (
    <>
      <List
        noun="reminders"
        failed="Failed to load reminders"
        of={reminders}
        {...(isTable
          ? {
              hasStickyHead: true,
              children: (rows: readonly ReminderSummary[]) => <ReminderTable reminders={rows} acts={acts} />,
            }
          : {
              grid: { columns: 2, count: 4, skeleton: ReminderCardSkeleton },
              card: (reminder: ReminderSummary) => <ReminderCard reminder={reminder} acts={acts} />,
            })}
        more={<NextPage of={reminders} shown={reminders.data?.length ?? 0} />}
        empty={noReminders}
        noMatch={
          Boolean(search || status) && {
            ...none,
            sentence: 'Try adjusting your search or filters',
            all: 'Show all reminders',
            onShowAll: () => change({ search: undefined, status: undefined }),
          }
        }
      />
      {dialog}
    </>
  );
}

const none = { icon: IconBell, title: 'No reminders found' };
const noReminders = {
  ...none,
  sentence: 'Get started by creating your first reminder',
  action: (
    <>
      <ButtonLink to="/reminders/new" leftSection={<IconPlus size={16} aria-hidden />}>
        Create Reminder
      </ButtonLink>
      <Anchor href="/docs/getting-started">How it works</Anchor>
    </>
  ),
};

const facts = ['Schedule', 'Channels', 'Created', 'Status'];

/** The placeholder of a reminder card, in the same size to avoid a layout shift. */
function ReminderCardSkeleton() {
  return (
    <Card className={card.card} aria-hidden data-testid="skeleton">
      <div className={classes.head}>
        <Skeleton height={20} width="55%" my={2} />
        <Skeleton height={24} width={72} />
      </div>
      <Skeleton height={12} width="80%" mt={8} mb={4} />
      <div className={classes.facts}>
        {facts.map((fact) => (
          <div key={fact}>
            <Skeleton height={10} width={56} my={3} />
            <Skeleton height={12} width="70%" my={5} />
            {fact === 'Schedule' && (
              <>
                <Skeleton height={12} width="70%" mt={8} mb={4} />
                <Skeleton height={12} width="85%" mt={8} mb={4} />
              </>
            )}
          </div>
        ))}
      </div>
      <div className={card.actions}>
        <Skeleton height={32} width={76} />
        <Skeleton height={32} width={76} />
        <Skeleton height={32} width={92} />
      </div>
    </Card>
  );
}

type NextPageProps = {
  of: Required<Paged> & { isFetching: boolean };
  shown: number;
};

/** The foot of the list: the next page loads when the user scrolls near it, or by a button. */
function NextPage({ of, shown }: NextPageProps) {
  const foot = useRef<HTMLDivElement>(null);
  const { hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = of;
  useEffect(() => {
    // The observer is recreated after every fetch: a refetch of the list may have cancelled the fetch of the page.
    // A page that failed waits for the button: it would be asked for again and again.
    if (!hasNextPage || isFetching || isFetchNextPageError || foot.current === null) return;
    const observer = new IntersectionObserver(
      (entries) => {
        // Without scrolling no page is loaded: the first page may be shorter than the window.
        if (entries.at(-1)?.isIntersecting && window.scrollY > 0) void fetchNextPage();
      },
      { rootMargin: '800px' },
    );
    observer.observe(foot.current);
    return () => observer.disconnect();
  }, [hasNextPage, isFetching, isFetchNextPageError, fetchNextPage]);
  return (
    <div ref={foot}>
      <LoadMore of={of}>{hasNextPage || shown > 24 ? `${shown.toLocaleString('en')} shown` : null}</LoadMore>
    </div>
  );
}
