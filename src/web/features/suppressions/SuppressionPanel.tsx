import { Button, Card, Select } from '@mantine/core';
import { IconFilterOff, IconPlus, IconUserOff } from '@tabler/icons-react';
import { type ReactNode } from 'react';
import { channelTypes } from '#contract/channel-types.ts';
import { type Suppression, suppressionReasons } from '#contract/suppressions.ts';
import { useSuppressions } from '#web/api/suppressions.ts';
import { useContactsSearch } from '#web/features/contacts/contacts-search.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { useAsked } from '#web/ui/use-asked.ts';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { AddSuppressionDialog } from './AddSuppressionDialog.tsx';
import { RemoveSuppressionDialog } from './RemoveSuppressionDialog.tsx';
import { SuppressionRows, SuppressionRowsSkeleton } from './SuppressionRows.tsx';
import { reasonLooks } from './suppression-words.ts';
import classes from './suppressions.module.css';

/** The suppression list with reasons and dates. */
export function SuppressionPanel({ tabs }: { tabs: ReactNode }) {
  const { state, open, close } = useDialogState<{ to: 'add' } | { to: 'remove'; suppression: Suppression }>();
  const { asked, isOpen, openCount } = state;
  const add = () => open({ to: 'add' });
  const { open: wanted, change } = useContactsSearch();
  useAsked(wanted, () => {
    add();
    change({ open: undefined });
  });
  const dialog = { opened: isOpen, onClose: () => close(openCount) };
  return (
    <>
      <PageHeader
        title="Contacts"
        subtitle="Recipients who get no messages on the channel shown, even if a reminder names them"
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
            Add to the list
          </Button>
        }
      />
      {tabs}
      <Filters />
      <List onAdd={add} onRemove={(suppression) => open({ to: 'remove', suppression })} />
      {asked?.to === 'remove' ? (
        <RemoveSuppressionDialog key={openCount} suppression={asked.suppression} {...dialog} />
      ) : (
        <AddSuppressionDialog key={openCount} {...dialog} />
      )}
    </>
  );
}

/** The URL's search, without an unknown reason. */
function useSuppressionSearch() {
  const { reason, ...search } = useContactsSearch();
  return { ...search, reason: suppressionReasons.find((known) => known === reason) };
}

const channelChoices = [
  { value: 'all', label: 'All channels' },
  ...channelTypes.map((value) => ({ value, label: channelLooks[value].name })),
];
const reasonChoices = [
  { value: 'all', label: 'All reasons' },
  ...suppressionReasons.map((value) => ({ value, label: reasonLooks[value].word })),
];

function Filters() {
  const { search, channel, reason, change } = useSuppressionSearch();
  return (
    <search className={classes.filters}>
      <SearchBox
        className={classes.search}
        label="Search by name, address or number"
        value={search ?? ''}
        onSearch={(text) => change({ search: text || undefined })}
      />
      <Select
        w={150}
        aria-label="Filter by channel"
        data={channelChoices}
        allowDeselect={false}
        value={channel ?? 'all'}
        onChange={(value) => change({ channel: channelTypes.find((known) => known === value) })}
      />
      <Select
        w={170}
        aria-label="Filter by reason"
        data={reasonChoices}
        allowDeselect={false}
        value={reason ?? 'all'}
        onChange={(value) => change({ reason: suppressionReasons.find((known) => known === value) })}
      />
    </search>
  );
}

const failed = 'Error loading the suppression list';

function List({ onAdd, onRemove }: { onAdd: () => void; onRemove: (suppression: Suppression) => void }) {
  const { search, channel, reason, change } = useSuppressionSearch();
  const found = useSuppressions({ search, channel, reason });
  useErrorToast(found.data === undefined ? null : found.error, { title: failed });
  return (
    <Card padding={0} aria-busy={found.isPending || found.isPlaceholderData}>
      {found.isPending ? (
        <SuppressionRowsSkeleton />
      ) : !found.data ? (
        <ErrorState
          title={failed}
          error={found.error}
          onRetry={() => void found.refetch()}
          isRetrying={found.isFetching}
        />
      ) : found.data.length > 0 ? (
        <>
          <SuppressionRows suppressions={found.data} onRemove={onRemove} isStale={found.isPlaceholderData} />
          <LoadMore of={found}>{found.data.length.toLocaleString('en')} shown</LoadMore>
        </>
      ) : search || channel || reason ? (
        <EmptyState
          icon={IconFilterOff}
          title="No recipients found"
          sentence="No recipient on the list matches these filters."
          action={
            <Button
              variant="default"
              onClick={() => change({ search: undefined, channel: undefined, reason: undefined })}
            >
              Show the whole list
            </Button>
          }
        />
      ) : (
        <EmptyState
          icon={IconUserOff}
          title="No suppressed recipients"
          sentence="Recipients who unsubscribe, answer STOP or have a bouncing address are added to this list automatically and get no more messages."
          action={
            <Button variant="default" onClick={onAdd}>
              Add a recipient
            </Button>
          }
        />
      )}
    </Card>
  );
}
