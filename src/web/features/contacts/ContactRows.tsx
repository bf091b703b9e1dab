import '@mantine/core/styles/Checkbox.layer.css';
import { ActionIcon, Box, Button, Checkbox, UnstyledButton } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { IconArrowDown, IconArrowUp, IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { useMemo } from 'react';
import { counted } from '#domain/in-words.ts';
import type { ContactSort } from '#contract/contact-sorts.ts';
import type { Contact, ContactFilter } from '#contract/contacts.ts';
import { focusContent } from '#web/ui/focus-content.ts';
import list from '#web/ui/list.module.css';
import { ContactCell, contentOf } from './ContactCell.tsx';
import {
  type ContactColumn,
  sortsOf,
  titleOf,
  trackOf,
  useContactColumns,
  usualColumns,
  widthOf,
} from './contact-columns.ts';
import { type ContactSelection, useContactSelection } from './contact-selection.ts';
import { displayNameOf } from './contact-words.ts';
import classes from './contacts.module.css';
import { useDeleteWithUndo } from './delete-with-undo.ts';
import { SelectionActions } from './SelectionActions.tsx';

type ContactRowsProps = {
  contacts: readonly Contact[];
  filter: ContactFilter;
  /** How many match the filter; undefined until they are counted. */
  total: number | undefined;
  sort: ContactSort | undefined;
  onSort: (sort: ContactSort | undefined) => void;
  onEdit: (contact: Contact) => void;
};

/** The contacts of the list in the reader's columns, with a selection to write to them, tag them or delete them. */
export function ContactRows({ contacts, filter, total, sort, onSort, onEdit }: ContactRowsProps) {
  const columns = useShownColumns(contacts);
  const { isTable, template } = useLayout(columns);
  const { selection, isChosen, hasAll, mayChooseAll, toggle, toggleAll, chooseAll, leaveOut, clear } =
    useContactSelection({ contacts, filter, total });
  const { remove } = useDeleteWithUndo();
  const hasSome = selection.count > 0;
  const removeOne = async (contact: Contact) => {
    if (!(await remove([contact]))) return;
    leaveOut([contact.id]);
    // The button is removed with its row.
    focusContent();
  };
  const clearAndFocus = () => {
    clear();
    focusContent();
  };
  return (
    <Box className={classes.rows} data-table={isTable} __vars={{ '--columns': template }}>
      <div className={classes.bar} data-selected={hasSome || undefined}>
        <Checkbox
          aria-label="Choose all that are shown"
          checked={hasAll}
          indeterminate={hasSome && !hasAll}
          onChange={toggleAll}
        />
        <span role="status">{statusOf(selection, total)}</span>
        {mayChooseAll && (
          <Button size="compact-sm" variant="subtle" onClick={chooseAll}>
            Select all {total?.toLocaleString('en')}
          </Button>
        )}
        {!hasSome &&
          isTable &&
          columns
            .filter((column) => widthOf(column) > 0)
            .map((column) => <Head key={column} column={column} sort={sort} onSort={onSort} />)}
        {hasSome && <SelectionActions selection={selection} onDeleted={clearAndFocus} onClear={clear} />}
      </div>
      <ul aria-label="Contacts">
        {contacts.map((contact) => (
          <Row
            key={contact.id}
            contact={contact}
            columns={columns}
            isChosen={isChosen(contact.id)}
            onToggle={() => toggle(contact.id)}
            onEdit={() => onEdit(contact)}
            onDelete={() => void removeOne(contact)}
          />
        ))}
      </ul>
    </Box>
  );
}

function statusOf({ kind, count }: ContactSelection, total: number | undefined): string {
  if (kind === 'matching') return `All ${count.toLocaleString('en')} selected`;
  if (count > 0) return `${count.toLocaleString('en')} selected`;
  return total === undefined ? 'Select' : counted(total, 'contact');
}

/** Those that the reader chose; until then the usual ones that are not empty in all rows. */
function useShownColumns(contacts: readonly Contact[]): readonly ContactColumn[] {
  const { chosen } = useContactColumns();
  const usual = useMemo(
    () => usualColumns.filter((column) => contacts.some((contact) => contentOf(contact, column) !== null)),
    [contacts],
  );
  return chosen ?? usual;
}

/** A table where the columns have room, and cards where they have not. */
function useLayout(columns: readonly ContactColumn[]) {
  const tracks = columns.filter((column) => widthOf(column) > 0).map(trackOf);
  const least = tracks.length <= 2 ? 48 : tracks.length <= 4 ? 62 : 75;
  const isTable = useMediaQuery(`(min-width: ${least}em)`, true, { getInitialValueInEffect: false });
  const template = ['20px', 'minmax(0, 3fr)', ...tracks, '72px'].join(' ');
  return { isTable, template };
}

type HeadProps = Pick<ContactRowsProps, 'sort' | 'onSort'> & { column: ContactColumn };

/** The title of a column, which sorts by it where the list can be: one way, the other way, and by name again. */
function Head({ column, sort, onSort }: HeadProps) {
  const title = titleOf(column);
  const sorts = sortsOf[column];
  if (sorts === undefined)
    return (
      <span className={classes.head} title={title}>
        {title}
      </span>
    );
  const at = sort === undefined ? -1 : sorts.indexOf(sort);
  const Arrow = sort?.startsWith('-') === true ? IconArrowDown : IconArrowUp;
  return (
    <UnstyledButton
      className={classes.head}
      aria-pressed={at !== -1}
      aria-label={
        at === 0 ? `${title}, the other way round` : at === 1 ? `${title}, by name again` : `Sort by ${title}`
      }
      onClick={() => onSort(at === 1 ? undefined : sorts[at === 0 ? 1 : 0])}
    >
      {title}
      {at !== -1 && <Arrow size={14} aria-hidden />}
    </UnstyledButton>
  );
}

type RowProps = {
  contact: Contact;
  columns: readonly ContactColumn[];
  isChosen: boolean;
  onToggle: () => void;
  onEdit: () => void;
  onDelete: () => void;
};

function Row({ contact, columns, isChosen, onToggle, onEdit, onDelete }: RowProps) {
  const displayName = displayNameOf(contact);
  const address = columns.includes('email') ? contentOf(contact, 'email') : null;
  return (
    <li className={classes.row} data-chosen={isChosen || undefined}>
      <Checkbox className={list.above} aria-label={`Choose ${displayName}`} checked={isChosen} onChange={onToggle} />
      <div className={list.who}>
        <Link to="/contacts/$id" params={{ id: contact.id }} className={classes.name} title={displayName}>
          {displayName}
        </Link>
        {address !== null && <span className={classes.address}>{address}</span>}
      </div>
      <div className={classes.cells}>
        {columns
          .filter((column) => widthOf(column) > 0)
          .map((column) => (
            <ContactCell key={column} contact={contact} column={column} />
          ))}
      </div>
      <span className={`${list.above} ${classes.buttons}`}>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Edit ${displayName}`} onClick={onEdit}>
          <IconPencil size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
        <ActionIcon variant="subtle" color="gray" size={36} aria-label={`Delete ${displayName}`} onClick={onDelete}>
          <IconTrash size={18} stroke={1.6} aria-hidden />
        </ActionIcon>
      </span>
    </li>
  );
}
