import { Button, Card } from '@mantine/core';
import { IconDownload, IconFilterOff, IconHistory, IconPlus, IconUpload, IconUsers } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import type { Contact } from '#contract/contacts.ts';
import { exportUrl, useContactCount, useContacts, useImports } from '#web/api/contacts.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { ContactFilters } from './ContactFilters.tsx';
import { ContactRows, ContactRowsSkeleton } from './ContactRows.tsx';
import classes from './contacts.module.css';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { useAsked } from '#web/ui/use-asked.ts';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import { useContactsSearch } from './contacts-search.ts';

const loadForm = () => import('./ContactDialog.tsx');
const ContactDialog = lazy(loadForm);
const ImportDialog = lazy(() => import('./ImportDialog.tsx'));
const RecentImports = lazy(() => import('./RecentImports.tsx'));

const failed = 'Error loading contacts';

/** The open dialog: the form with a contact or an empty one, the import, or the latest imports. */
type Asked = { dialog: 'form'; contact: Contact | null } | { dialog: 'import' } | { dialog: 'imports' };

/** The contacts of the workspace, with import and export. */
export function ContactPanel({ tabs }: { tabs: ReactNode }) {
  const { state, open, close } = useDialogState<Asked>();
  const add = () => open({ dialog: 'form', contact: null });
  const importFile = () => open({ dialog: 'import' });
  const showImports = () => open({ dialog: 'imports' });
  const { open: asked, change } = useContactsSearch();
  useAsked(asked, (dialogAsked) => {
    open(dialogAsked === 'new' ? { dialog: 'form', contact: null } : { dialog: dialogAsked });
    change({ open: undefined });
  });
  const dialog = { opened: state.isOpen, onClose: () => close(state.openCount) };
  // The form is preloaded while the list is shown.
  useEffect(() => void loadForm(), []);
  return (
    <>
      <PageHeader
        title="Contacts"
        subtitle="The people who get your reminders, with the values that messages use for each of them"
        actions={
          <>
            <Methods onImport={importFile} onImports={showImports} />
            <Button className={classes.main} leftSection={<IconPlus size={16} aria-hidden />} onClick={add}>
              Add Contact
            </Button>
          </>
        }
      />
      {tabs}
      <List onAdd={add} onImport={importFile} onEdit={(contact) => open({ dialog: 'form', contact })} />
      <Suspense>
        {state.asked?.dialog === 'form' && (
          <ContactDialog key={state.openCount} contact={state.asked.contact} {...dialog} />
        )}
        {state.asked?.dialog === 'imports' && <RecentImports key={state.openCount} {...dialog} />}
        {state.asked?.dialog === 'import' && <ImportDialog key={state.openCount} {...dialog} />}
      </Suspense>
    </>
  );
}

function Methods({ onImport, onImports }: { onImport: () => void; onImports: () => void }) {
  const workspaceId = useWorkspaceId();
  const hasImports = (useImports().data?.data.length ?? 0) > 0;
  return (
    <>
      <Button
        component="a"
        href={exportUrl(workspaceId)}
        download
        variant="default"
        className={classes.method}
        leftSection={<IconDownload size={16} aria-hidden />}
      >
        Export
      </Button>
      <Button
        className={classes.method}
        variant="default"
        leftSection={<IconUpload size={16} aria-hidden />}
        onClick={onImport}
      >
        Import
      </Button>
      {hasImports && (
        <Button
          variant="default"
          className={classes.method}
          leftSection={<IconHistory size={16} aria-hidden />}
          onClick={onImports}
        >
          Recent imports
        </Button>
      )}
    </>
  );
}

type ListProps = { onAdd: () => void; onImport: () => void; onEdit: (contact: Contact) => void };

function List({ onAdd, onImport, onEdit }: ListProps) {
  const { search, tag, group, change } = useContactsSearch();
  const filter = { search, tag, group };
  const contacts = useContacts(filter);
  const { data: total } = useContactCount(filter);
  useErrorToast(contacts.data === undefined ? null : contacts.error, { title: failed });
  return (
    <>
      <ContactFilters />
      <Card padding={0} style={{ overflow: 'visible' }} aria-busy={contacts.isPending || contacts.isPlaceholderData}>
        {contacts.isPending ? (
          <ContactRowsSkeleton />
        ) : !contacts.data ? (
          <ErrorState
            title={failed}
            error={contacts.error}
            onRetry={() => void contacts.refetch()}
            isRetrying={contacts.isFetching}
          />
        ) : contacts.data.length > 0 ? (
          <>
            <ContactRows
              contacts={contacts.data}
              filter={filter}
              total={total}
              onEdit={onEdit}
              isStale={contacts.isPlaceholderData}
            />
            <LoadMore of={contacts}>{contacts.data.length.toLocaleString('en')} shown</LoadMore>
          </>
        ) : search || tag || group ? (
          <EmptyState
            icon={IconFilterOff}
            title="No contacts found"
            sentence={
              tag || group ? 'No contact matches these filters.' : 'No contact has this in its name, address or number.'
            }
            action={
              <Button variant="default" onClick={() => change({ search: undefined, tag: undefined, group: undefined })}>
                Show all contacts
              </Button>
            }
          />
        ) : (
          <EmptyState
            icon={IconUsers}
            title="No contacts yet"
            sentence="A reminder to a contact's address uses the contact's name and values, such as the rent of each tenant."
            action={
              <div className={classes.methods}>
                <Button onClick={onAdd}>Add a contact</Button>
                <Button variant="default" onClick={onImport}>
                  Import a file
                </Button>
              </div>
            }
          />
        )}
      </Card>
    </>
  );
}
