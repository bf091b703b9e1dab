import { ActionIcon, Button, Checkbox, Skeleton } from '@mantine/core';
import { IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import type { Contact } from '#contract/contacts.ts';
import { focusContent } from '#web/ui/focus-content.ts';
import { displayNameOf } from './contact-words.ts';
import classes from './contacts.module.css';
import { useDeleteWithUndo } from './delete-with-undo.ts';

type ContactRowsProps = { contacts: Contact[]; onEdit: (contact: Contact) => void; isStale: boolean };

/** The contacts of the list, with a selection to delete several. */
export function ContactRows({ contacts, onEdit, isStale }: ContactRowsProps) {
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { remove, isPending } = useDeleteWithUndo();
  const selected = contacts.filter(({ id }) => chosen.has(id));
  const toggle = (id: string) => setChosen(new Set(chosen).symmetricDifference(new Set([id])));
  const toggleAll = () =>
    setChosen(selected.length === contacts.length ? new Set() : new Set(contacts.map(({ id }) => id)));
  const removeSome = async (some: readonly Contact[]) => {
    if (!(await remove(some))) return;
    setChosen(chosen.difference(new Set(some.map(({ id }) => id))));
    // The button that opened the dialog is removed with its row.
    focusContent();
  };
  return (
    <div className={classes.rows} data-stale={isStale}>
      <div className={classes.bar}>
        <Checkbox
          aria-label="Choose all that are shown"
          checked={selected.length === contacts.length}
          indeterminate={selected.length > 0 && selected.length < contacts.length}
          onChange={toggleAll}
        />
        <span role="status">{selected.length > 0 ? `${selected.length.toLocaleString('en')} selected` : 'Select'}</span>
        {selected.length > 0 && (
          <>
            <Button
              size="compact-sm"
              variant="light"
              color="red"
              loading={isPending}
              leftSection={<IconTrash size={14} aria-hidden />}
              onClick={() => void removeSome(selected)}
            >
              Delete
            </Button>
            <Button size="compact-sm" variant="subtle" onClick={() => setChosen(new Set())}>
              Clear
            </Button>
          </>
        )}
      </div>
      <ul className={classes.list} aria-label="Contacts">
        {contacts.map((contact) => (
          <Row
            key={contact.id}
            contact={contact}
            isChosen={chosen.has(contact.id)}
            onToggle={() => toggle(contact.id)}
            onEdit={() => onEdit(contact)}
            onDelete={() => void removeSome([contact])}
          />
        ))}
      </ul>
    </div>
  );
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
      <Checkbox className={classes.above} aria-label={`Choose ${displayName}`} checked={isChosen} onChange={onToggle} />
      <div className={classes.who}>
        <button type="button" className={classes.name} title={displayName} onClick={onEdit}>
          {displayName}
        </button>
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
        {tags.length > shownTags && <span className={classes.more}>+{tags.length - shownTags}</span>}
        {own.slice(0, 3).map(([variable, value]) => (
          <span key={variable} className={classes.value} title={`${variable}: ${value}`}>
            <b>{variable}</b> {value}
          </span>
        ))}
        {own.length > 3 && <span className={classes.more}>+{own.length - 3}</span>}
      </span>
      <ActionIcon
        className={classes.above}
        variant="subtle"
        color="gray"
        size={36}
        aria-label={`Delete ${displayName}`}
        onClick={onDelete}
      >
        <IconTrash size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
    </li>
  );
}

export function ContactRowsSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      <div className={classes.bar} />
      {Array.from({ length: 8 }, (_, row) => (
        <div key={row} className={classes.skeleton} aria-hidden>
          <Skeleton height={20} width={20} />
          <Skeleton height={12} width="24%" />
          <Skeleton height={12} width="16%" />
          <Skeleton height={12} width="20%" ml="auto" />
        </div>
      ))}
    </div>
  );
}
