import { Button, Card } from '@mantine/core';
import { IconDownload, IconFilterOff, IconPlus, IconUpload, IconUsers } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useEffect, useState } from 'react';
import type { Contact } from '#contract/contacts.ts';
import { exportUrl, useContacts } from '#web/api/contacts.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { EmptyState } from '#web/ui/EmptyState.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { LoadMore } from '#web/ui/LoadMore.tsx';
import { notifyFailure } from '#web/ui/notify.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { SearchBox } from '#web/ui/SearchBox.tsx';
import { ContactRows, ContactRowsSkeleton } from './ContactRows.tsx';
import classes from './contacts.module.css';
import { useContactsSearch } from './contacts-search.ts';

const loadForm = () => import('./ContactDialog.tsx');
const ContactDialog = lazy(loadForm);
const ImportDialog = lazy(() => import('./ImportDialog.tsx'));

const failed = 'Error loading contacts';

/** What is open: the form, on somebody or on nobody, or the import. `turn` counts the openings: each begins anew. */
type Open = { dialog: 'form' | 'import'; contact: Contact | null; isOpen: boolean; turn: number };

/** Everybody the workspace knows, and the ways in and out. */
export function ContactPanel({ tabs }: { tabs: ReactNode }) {
  const [open, setOpen] = useState<Open | null>(null);
  const ask = (dialog: Open['dialog'], contact: Contact | null = null) =>
    setOpen((before) => ({ dialog, contact, isOpen: true, turn: (before?.turn ?? 0) + 1 }));
  const close = () => setOpen((now) => now && { ...now, isOpen: false });
  // The form arrives while the list is looked at.
  useEffect(() => void loadForm(), []);
  return (
    <>
      <PageHeader
        title="Contacts"
        subtitle="The people you write to: their addresses, and their own values for your messages"
        actions={
          <>
            <Ways onImport={() => ask('import')} />
            <Button
              className={classes.main}
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => ask('form')}
            >
              Add Contact
            </Button>
          </>
        }
      />
      {tabs}
      <List onAdd={() => ask('form')} onImport={() => ask('import')} onEdit={(contact) => ask('form', contact)} />
      <Suspense>
        {open?.dialog === 'form' && (
          <ContactDialog key={open.turn} contact={open.contact} opened={open.isOpen} onClose={close} />
        )}
        {open?.dialog === 'import' && <ImportDialog key={open.turn} opened={open.isOpen} onClose={close} />}
      </Suspense>
    </>
  );
}

function Ways({ onImport }: { onImport: () => void }) {
  const workspaceId = useWorkspaceId();
  return (
    <>
      <Button
        component="a"
        href={exportUrl(workspaceId)}
        download
        variant="default"
        leftSection={<IconDownload size={16} aria-hidden />}
      >
        Export
      </Button>
      <Button variant="default" leftSection={<IconUpload size={16} aria-hidden />} onClick={onImport}>
        Import
      </Button>
    </>
  );
}

type ListProps = { onAdd: () => void; onImport: () => void; onEdit: (contact: Contact) => void };

function List({ onAdd, onImport, onEdit }: ListProps) {
  const { search, change } = useContactsSearch();
  const contacts = useContacts({ search });
  useEffect(() => {
    if (contacts.error) notifyFailure(failed, contacts.error);
  }, [contacts.error]);
  return (
    <>
      <search className={classes.filters}>
        <SearchBox
          className={classes.search}
          label="Search by name, address or number"
          value={search ?? ''}
          onSearch={(text) => change({ search: text || undefined })}
        />
      </search>
      <Card padding={0} aria-busy={contacts.isPending || contacts.isPlaceholderData}>
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
            <ContactRows contacts={contacts.data} onEdit={onEdit} isStale={contacts.isPlaceholderData} />
            <LoadMore of={contacts}>{contacts.data.length.toLocaleString('en')} shown</LoadMore>
          </>
        ) : search ? (
          <EmptyState
            icon={IconFilterOff}
            title="No contacts found"
            sentence="Nobody has this in their name, address or number."
            action={
              <Button variant="default" onClick={() => change({ search: undefined })}>
                Show all contacts
              </Button>
            }
          />
        ) : (
          <EmptyState
            icon={IconUsers}
            title="No contacts yet"
            sentence="A reminder that goes to a contact's address takes its name and its own values, such as the rent of each tenant."
            action={
              <div className={classes.ways}>
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
