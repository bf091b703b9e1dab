import '@mantine/core/styles/Checkbox.layer.css';
import { Button, Group, Tabs } from '@mantine/core';
import { IconDownload, IconHistory, IconPlus, IconUpload, IconUsers } from '@tabler/icons-react';
import { lazy, type ReactNode, Suspense, useEffect } from 'react';
import { matchKey } from '#contract/audience.ts';
import type { ContactSort } from '#contract/contact-sorts.ts';
import type { Contact } from '#contract/contacts.ts';
import { useContactGroups, useContactTags } from '#web/api/contact-groups.ts';
import { exportUrl, useContactCount, useContacts, useImports } from '#web/api/contacts.ts';
import { useWorkspaceId } from '#web/api/current-workspace.ts';
import { GroupPanel } from '#web/features/contact-groups/GroupPanel.tsx';
import { SuppressionPanel } from '#web/features/suppressions/SuppressionPanel.tsx';
import { FilterBar } from '#web/ui/FilterBar.tsx';
import { List } from '#web/ui/List.tsx';
import { PageHeader } from '#web/ui/PageHeader.tsx';
import { useAsked } from '#web/ui/use-asked.ts';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import { ColumnsMenu } from './ColumnsMenu.tsx';
import { ContactRows } from './ContactRows.tsx';
import { useContactsSearch } from './contacts-search.ts';
import classes from './contacts.module.css';

/** The contacts, their groups and the suppression list of the workspace. */
export function ContactsScreen() {
  const { tab, change } = useContactsSearch();
  const choose = (chosen: string | null) =>
    change(
      {
        tab: chosen === 'groups' || chosen === 'suppressed' ? chosen : undefined,
        search: undefined,
        tag: undefined,
        group: undefined,
        channel: undefined,
        reason: undefined,
        covers: undefined,
      },
      { replace: false },
    );
  const tabs = (
    <Tabs value={tab ?? 'contacts'} onChange={choose} mb={16}>
      <Tabs.List>
        <Tabs.Tab value="contacts">Contacts</Tabs.Tab>
        <Tabs.Tab value="groups">Groups</Tabs.Tab>
        <Tabs.Tab value="suppressed">Suppressed</Tabs.Tab>
      </Tabs.List>
    </Tabs>
  );
  if (tab === 'groups') return <GroupPanel tabs={tabs} />;
  return tab === 'suppressed' ? <SuppressionPanel tabs={tabs} /> : <ContactPanel tabs={tabs} />;
}

const loadForm = () => import('./ContactDialog.tsx');
const ContactDialog = lazy(loadForm);
const ImportDialog = lazy(() => import('./ImportDialog.tsx'));
const RecentImports = lazy(() => import('./RecentImports.tsx'));

/** The open dialog: the form with a contact or an empty one, the import, or the latest imports. */
type Asked = { dialog: 'form'; contact: Contact | null } | { dialog: 'import' } | { dialog: 'imports' };

/** The contacts of the workspace, with import and export. */
function ContactPanel({ tabs }: { tabs: ReactNode }) {
  const { state, dialog, open } = useDialogState<Asked>();
  const add = () => open({ dialog: 'form', contact: null });
  const importFile = () => open({ dialog: 'import' });
  const showImports = () => open({ dialog: 'imports' });
  const { open: asked, change } = useContactsSearch();
  useAsked(asked, (dialogAsked) => {
    open(dialogAsked === 'new' ? { dialog: 'form', contact: null } : { dialog: dialogAsked });
    change({ open: undefined });
  });
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
      <Contacts onAdd={add} onImport={importFile} onEdit={(contact) => open({ dialog: 'form', contact })} />
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

type ContactsProps = { onAdd: () => void; onImport: () => void; onEdit: (contact: Contact) => void };

function Contacts({ onAdd, onImport, onEdit }: ContactsProps) {
  const { search, tag, group, sort, change } = useContactsSearch();
  const filter = { search, tag, group };
  const { data: total } = useContactCount(filter);
  return (
    <>
      <ContactFilters />
      <List
        noun="contacts"
        of={useContacts({ ...filter, sort })}
        hasStickyHead
        extent={({ length }) => `${length.toLocaleString('en')} shown`}
        empty={{
          icon: IconUsers,
          title: 'No contacts yet',
          sentence:
            "A reminder to a contact's address uses the contact's name and values, such as the rent of each tenant.",
          action: (
            <Group gap="xs" justify="center">
              <Button onClick={onAdd}>Add a contact</Button>
              <Button variant="default" onClick={onImport}>
                Import a file
              </Button>
            </Group>
          ),
        }}
        noMatch={
          Boolean(search || tag || group) && {
            title: 'No contacts found',
            sentence:
              tag || group
                ? 'No contact matches these filters.'
                : 'No contact has this in its name, email, number or values.',
            all: 'Show all contacts',
            onShowAll: () => change({ search: undefined, tag: undefined, group: undefined }),
          }
        }
      >
        {(contacts) => (
          <ContactRows
            contacts={contacts}
            filter={filter}
            total={total}
            sort={sort}
            onSort={(chosen) => change({ sort: chosen })}
            onEdit={onEdit}
          />
        )}
      </List>
    </>
  );
}

const sortChoices: readonly { value: ContactSort; label: string }[] = [
  { value: '-name', label: 'Name Z–A' },
  { value: 'last_name', label: 'Last name A–Z' },
  { value: '-last_name', label: 'Last name Z–A' },
  { value: 'language', label: 'Language' },
  { value: '-language', label: 'Language, reversed' },
  { value: '-created', label: 'Newest first' },
  { value: 'created', label: 'Oldest first' },
];

/** The search, a tag, a group and the order; all are kept in the URL. */
function ContactFilters() {
  const { search, tag, group, sort, change } = useContactsSearch();
  const { data: tags = [] } = useContactTags();
  const { data: groups = [] } = useContactGroups();
  const key = tag === undefined ? null : matchKey(tag);
  const known = tags.find((one) => matchKey(one.tag) === key);
  const tagChoices = [
    ...tags.map((one) => ({ value: one.tag, label: `${one.tag} · ${one.contacts.toLocaleString('en')}` })),
    // A link may name a tag that nobody has.
    ...(tag === undefined || known !== undefined ? [] : [{ value: tag, label: tag }]),
  ];
  const groupChoices = [
    ...groups.map(({ id, name }) => ({ value: id, label: name })),
    ...(group === undefined || groups.some(({ id }) => id === group)
      ? []
      : [{ value: group, label: groups.length === 0 ? 'A group' : 'A deleted group' }]),
  ];
  return (
    <FilterBar
      search={{
        label: 'Search by name, email, number or value',
        value: search,
        onSearch: (text) => change({ search: text }),
      }}
      choices={[
        {
          label: 'Filter by tag',
          all: 'All tags',
          of: tagChoices,
          clear: 'Show all tags',
          none: tags.length === 0 ? 'No contact has a tag' : 'No such tag',
          value: known?.tag ?? tag,
          onChoose: (value) => change({ tag: value }),
        },
        {
          label: 'Filter by group',
          all: 'All groups',
          of: groupChoices,
          clear: 'Show all groups',
          none: groups.length === 0 ? 'There are no groups' : 'No such group',
          value: group,
          onChoose: (value) => change({ group: value }),
        },
        {
          label: 'Sort by',
          all: 'Name A–Z',
          of: sortChoices,
          value: sort,
          width: 170,
          onChoose: (value) => change({ sort: sortChoices.find((one) => one.value === value)?.value }),
        },
      ]}
    >
      <ColumnsMenu />
    </FilterBar>
  );
}
