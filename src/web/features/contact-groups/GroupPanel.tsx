import { Button, Card } from '@mantine/core';
import { IconPlus, IconUsersGroup } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense } from 'react';
import { type ContactGroup, groupLimits } from '#contract/contact-groups.ts';
import { useContactGroups, useGroupCounts } from '#web/api/contact-groups.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { useContactsSearch } from '#web/features/contacts/contacts-search.ts';
import { useAsked } from '#web/ui/use-asked.ts';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { DeleteGroupDialog } from './DeleteGroupDialog.tsx';
import { GroupRows, GroupRowsSkeleton } from './GroupRows.tsx';

const GroupDialog = lazy(() => import('./GroupDialog.tsx'));

const failed = 'Error loading groups';

type Asked = { to: 'edit'; group: ContactGroup | null } | { to: 'delete'; group: ContactGroup };

/** The groups of contacts, each a rule over tags and values. */
export function GroupPanel({ tabs }: { tabs: ReactNode }) {
  const { state, open, close } = useDialogState<Asked>();
  const { asked, isOpen, openCount } = state;
  const groups = useContactGroups();
  // Counted while the list is read.
  useGroupCounts();
  useErrorToast(groups.data === undefined ? null : groups.error, { title: failed });
  const add = () => open({ to: 'edit', group: null });
  const { open: wanted, change } = useContactsSearch();
  useAsked(wanted, () => {
    add();
    change({ open: undefined });
  });
  const dialog = { opened: isOpen, onClose: () => close(openCount) };
  const isFull = groups.data !== undefined && groups.data.length >= groupLimits.perWorkspace;
  return (
    <>
      <PageHeader
        title="Contacts"
        subtitle="Groups by a rule: whoever meets it when a reminder is sent gets it"
        actions={
          <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={add} disabled={isFull}>
            Add Group
          </Button>
        }
      />
      {tabs}
      <Card padding={0} aria-busy={groups.isPending}>
        {groups.isPending ? (
          <GroupRowsSkeleton />
        ) : !groups.data ? (
          <ErrorState
            title={failed}
            error={groups.error}
            onRetry={() => void groups.refetch()}
            isRetrying={groups.isFetching}
          />
        ) : groups.data.length > 0 ? (
          <GroupRows
            groups={groups.data}
            onEdit={(group) => open({ to: 'edit', group })}
            onDelete={(group) => open({ to: 'delete', group })}
          />
        ) : (
          <EmptyState
            icon={IconUsersGroup}
            title="No groups yet"
            sentence="A group is a rule over tags and values, such as “building is 12 Elm”. A reminder can be sent to everyone who meets it."
            action={<Button onClick={add}>Add a group</Button>}
          />
        )}
      </Card>
      <Suspense>
        {asked?.to === 'edit' && <GroupDialog key={openCount} group={asked.group} {...dialog} />}
        {asked?.to === 'delete' && <DeleteGroupDialog key={openCount} group={asked.group} {...dialog} />}
      </Suspense>
    </>
  );
}
