import { Button } from '@mantine/core';
import { IconUserOff } from '@tabler/icons-react';
import type { AdminPerson } from '#contract/admin-people.ts';
import { useActOnPerson, usePeople } from '#web/api/admin-people.ts';
import { useSession } from '#web/api/session.ts';
import { ConfirmDialog } from '#web/ui/ConfirmDialog.tsx';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ListCard } from '#web/ui/ListCard.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { notifyFailure, notifySuccess } from '#web/ui/notify.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import classes from '#web/features/admin/admin.module.css';
import { RowsSkeleton } from '#web/features/admin/RowsSkeleton.tsx';
import { useAdminSearch } from '#web/features/admin/use-admin-search.ts';
import { nameOf, type PersonActWords, personActs } from './person-acts.ts';
import { UserTable } from './UserTable.tsx';

const failed = 'Error loading users';

/** Everybody with an account, the ten newest first, and what an administrator can do for or against them. */
export default function UsersTab() {
  const { search, change } = useAdminSearch();
  const found = usePeople(search.search ?? '');
  const userId = useSession()?.user.id;
  const { mutateAsync, isPending } = useActOnPerson();
  const { state, open, close } = useDialogState<{ person: AdminPerson; act: keyof typeof personActs }>();

  const perform = async (person: AdminPerson, act: keyof typeof personActs) => {
    const words: PersonActWords = personActs[act];
    try {
      await mutateAsync({ act, id: person.id });
      notifySuccess(words.done, words.outcome(person));
    } catch (error) {
      notifyFailure(words.failed, error);
    }
  };

  const asked = state.asked;
  const words: PersonActWords | null = asked && personActs[asked.act];
  return (
    <div className={classes.tab}>
      <search className={classes.filters}>
        <SearchBox
          className={classes.search}
          label="Search users by name or e-mail"
          value={search.search ?? ''}
          onSearch={(text) => change({ search: text || undefined })}
        />
      </search>
      <ListCard
        label="Users"
        of={found}
        failed={failed}
        skeleton={<RowsSkeleton label="Loading users" />}
        empty={
          <EmptyState
            icon={IconUserOff}
            title="No users found"
            sentence="Nobody has this name or e-mail address."
            action={
              <Button variant="default" onClick={() => change({ search: undefined })}>
                Show all users
              </Button>
            }
          />
        }
      >
        {(rows) => (
          <>
            <UserTable
              people={rows}
              userId={userId}
              isStale={found.isPlaceholderData}
              onAct={(person, act) =>
                personActs[act].question === null ? void perform(person, act) : open({ person, act })
              }
            />
            <LoadMore of={found}>{rows.length.toLocaleString('en')} shown, newest first</LoadMore>
          </>
        )}
      </ListCard>
      {asked !== null && words !== null && words.question !== null && (
        <ConfirmDialog
          key={state.openCount}
          title={words.question.title(nameOf(asked.person))}
          confirmLabel={words.label}
          opened={state.isOpen}
          isBusy={isPending}
          onClose={() => close(state.openCount)}
          onConfirm={() => void perform(asked.person, asked.act).then(() => close(state.openCount))}
        >
          <p>{words.question.sentence(asked.person)}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}
