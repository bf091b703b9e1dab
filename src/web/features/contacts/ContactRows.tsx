import '@mantine/core/styles/Checkbox.layer.css';
import { ActionIcon, Box, Button, Checkbox } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { counted } from '#domain/in-words.ts';
import type { Contact, ContactFilter } from '#contract/contacts.ts';
import { focusContent } from '#web/ui/focus-content.ts';
import list from '#web/ui/list.module.css';
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
  onEdit: (contact: Contact) => void;
};

/** The contacts of the list, with a selection to write to them, tag them or delete them. */
export function ContactRows({ contacts, filter, total, onEdit }: ContactRowsProps) {
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
    <div className={classes.rows} data-zones={contacts.some(({ timezone }) => timezone !== null)}>
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
        {!hasSome && (
          <>
            <span className={classes.phoneHead}>Phone</span>
            <span className={classes.zoneHead}>Timezone</span>
            <span className={classes.valuesHead}>Tags and values</span>
          </>
        )}
        {hasSome && <SelectionActions selection={selection} onDeleted={clearAndFocus} onClear={clear} />}
      </div>
      <ul aria-label="Contacts">
        {contacts.map((contact) => (
          <Row
            key={contact.id}
            contact={contact}
            isChosen={isChosen(contact.id)}
            onToggle={() => toggle(contact.id)}
            onEdit={() => onEdit(contact)}
            onDelete={() => void removeOne(contact)}
          />
        ))}
      </ul>
    </div>
  );
}

function statusOf({ kind, count }: ContactSelection, total: number | undefined): string {
  if (kind === 'matching') return `All ${count.toLocaleString('en')} selected`;
  if (count > 0) return `${count.toLocaleString('en')} selected`;
  return total === undefined ? 'Select' : counted(total, 'contact');
}

const shownTags = 3;

type RowProps = {
  contact: Contact;
  isChosen: boolean;
  onToggle: () => void;
  onEdit: () => void;
  onDelete: () => void;
};

function Row({ contact, isChosen, onToggle, onEdit, onDelete }: RowProps) {
  const displayName = displayNameOf(contact);
  const { name, email, phone, timezone, variables, tags } = contact;
  const own = Object.entries(variables);
  return (
    <li className={classes.row} data-chosen={isChosen || undefined}>
      <Checkbox className={list.above} aria-label={`Choose ${displayName}`} checked={isChosen} onChange={onToggle} />
      <div className={list.who}>
        <Link to="/contacts/$id" params={{ id: contact.id }} className={classes.name} title={displayName}>
          {displayName}
        </Link>
        {name !== null && email !== null && <span className={classes.address}>{email}</span>}
      </div>
      <span className={classes.phone}>{phone !== displayName && phone}</span>
      <span className={classes.zone}>{timezone?.replaceAll('_', ' ')}</span>
      <span className={classes.values}>
        {tags.slice(0, shownTags).map((tag) => (
          <span key={tag} className={classes.tag} title={tag}>
            {tag}
          </span>
        ))}
        {tags.length > shownTags && (
          <Box component="span" py={2} flex="none">
            +{tags.length - shownTags}
          </Box>
        )}
        {own.slice(0, 3).map(([variable, value]) => (
          <span key={variable} className={classes.value} title={`${variable}: ${value}`}>
            <b>{variable}</b> {value}
          </span>
        ))}
        {own.length > 3 && (
          <Box component="span" py={2} flex="none">
            +{own.length - 3}
          </Box>
        )}
      </span>
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
