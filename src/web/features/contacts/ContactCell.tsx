import { Box } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Contact } from '#contract/contacts.ts';
import { variableKey } from '#contract/variable-name.ts';
import { InstantText } from '#web/ui/InstantText.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { type ContactColumn, titleOf, valueIn } from './contact-columns.ts';
import { displayNameOf } from './contact-words.ts';
import classes from './contacts.module.css';
import { languageInWords } from './language-choices.ts';

/** What speaks for itself in a card, where other columns are named. */
const plain: ReadonlySet<ContactColumn> = new Set(['phone', 'timezone', 'tags', 'values']);

/** A column of a contact, with its title for screen readers and in cards; empty where the contact has nothing in it. */
export function ContactCell({ contact, column }: { contact: Contact; column: ContactColumn }) {
  const content = contentOf(contact, column);
  return (
    <span className={classes.cell} data-chips={column === 'tags' || column === 'values' || undefined}>
      {content !== null && (
        <>
          <span className={classes.label} data-plain={plain.has(column) || undefined}>
            {titleOf(column)}{' '}
          </span>
          {content}
        </>
      )}
    </span>
  );
}

/** Null where there is nothing. */
export function contentOf(contact: Contact, column: ContactColumn): ReactNode {
  const value = valueIn(column);
  if (value !== null) return cut(valueNamed(contact, value));
  switch (column) {
    case 'email':
      return contact.name === null ? null : contact.email;
    case 'phone':
      return contact.phone === displayNameOf(contact) ? null : cut(contact.phone);
    case 'salutation':
    case 'first_name':
    case 'last_name':
    case 'note':
      return cut(contact[column]);
    case 'timezone':
      return cut(contact.timezone?.replaceAll('_', ' '));
    case 'language':
      return cut(contact.language && languageInWords(contact.language));
    case 'preferred_channel':
      return cut(contact.preferred_channel && channelLooks[contact.preferred_channel].name);
    case 'tags':
      return chipsOf(contact.tags, (tag) => (
        <span key={tag} className={classes.tag} title={tag}>
          {tag}
        </span>
      ));
    case 'values':
      return chipsOf(Object.entries(contact.variables), ([variable, text]) => (
        <span key={variable} className={classes.value} title={`${variable}: ${text}`}>
          <b>{variable}</b> {text}
        </span>
      ));
    case 'created_at':
      return <InstantText at={contact.created_at} show="day" />;
    default:
      return null;
  }
}

const cut = (text: string | null | undefined): ReactNode =>
  text === null || text === undefined || text === '' ? null : (
    <span className={classes.text} title={text}>
      {text}
    </span>
  );

/** The value of this name, in whichever spelling the contact has it. */
function valueNamed({ variables }: Contact, name: string): string | undefined {
  const own = Object.entries(variables);
  const key = variableKey(name);
  return (own.find(([one]) => one === name) ?? own.find(([one]) => variableKey(one) === key))?.[1];
}

const mostChips = 3;

function chipsOf<Item>(items: readonly Item[], draw: (item: Item) => ReactNode): ReactNode {
  if (items.length === 0) return null;
  return (
    <>
      {items.slice(0, mostChips).map(draw)}
      {items.length > mostChips && (
        <Box component="span" py={2} flex="none">
          +{items.length - mostChips}
        </Box>
      )}
    </>
  );
}
