import { ActionIcon, Button, Skeleton } from '@mantine/core';
import { IconSend, IconTrash } from '@tabler/icons-react';
import type { ContactGroup } from '#contract/contact-groups.ts';
import { useGroupCounts } from '#web/api/contact-groups.ts';
import { countOf } from '#web/features/contacts/contact-words.ts';
import { useWriteTo } from '#web/features/contacts/use-write-to.ts';
import { TextLink } from '#web/ui/links.tsx';
import { messageOf } from '#web/ui/message-of.ts';
import { useFirstRows } from '#web/ui/use-first-rows.ts';
import classes from './groups.module.css';
import { ruleText } from './rule-words.ts';

type GroupRowsProps = {
  groups: readonly ContactGroup[];
  onEdit: (group: ContactGroup) => void;
  onDelete: (group: ContactGroup) => void;
};

export function GroupRows({ groups, onEdit, onDelete }: GroupRowsProps) {
  const { data: counts, error, refetch } = useGroupCounts();
  const shown = useFirstRows(groups);
  return (
    <>
      {error !== null && counts === undefined && (
        <p className={classes.uncounted} role="alert">
          The people of the groups could not be counted. {messageOf(error)}{' '}
          <Button variant="subtle" size="compact-sm" onClick={() => void refetch()}>
            Try again
          </Button>
        </p>
      )}
      <ul className={classes.list} aria-label="Groups">
        {shown.map((group) => (
          <Row
            key={group.id}
            group={group}
            counts={counts?.get(group.id)}
            onEdit={() => onEdit(group)}
            onDelete={() => onDelete(group)}
          />
        ))}
      </ul>
    </>
  );
}

type RowProps = {
  group: ContactGroup;
  /** Undefined until they are counted. */
  counts: { people: number; reminders: number } | undefined;
  onEdit: () => void;
  onDelete: () => void;
};

function Row({ group: { id, name, rule }, counts, onEdit, onDelete }: RowProps) {
  const writeTo = useWriteTo();
  const text = ruleText(rule);
  return (
    <li className={classes.row}>
      <div className={classes.who}>
        <button type="button" className={classes.name} title={name} onClick={onEdit}>
          {name}
        </button>
        <span className={classes.rule} title={text}>
          {text}
        </span>
      </div>
      <span className={classes.people}>
        {counts && (
          <TextLink inherit to="/contacts" search={{ group: id }} aria-label={`${peopleOf(counts.people)} of ${name}`}>
            {peopleOf(counts.people)}
          </TextLink>
        )}
      </span>
      <span className={classes.reminders}>{counts && countOf(counts.reminders, 'reminder')}</span>
      <Button
        className={classes.write}
        size="compact-sm"
        variant="default"
        leftSection={<IconSend size={14} aria-hidden />}
        aria-label={`Write to ${name}`}
        onClick={() => writeTo({ groups: [id] })}
      >
        Write
      </Button>
      <ActionIcon
        className={classes.delete}
        variant="subtle"
        color="gray"
        size={36}
        aria-label={`Delete ${name}`}
        onClick={onDelete}
      >
        <IconTrash size={18} stroke={1.6} aria-hidden />
      </ActionIcon>
    </li>
  );
}

const peopleOf = (count: number) => (count === 1 ? '1 person' : `${count.toLocaleString('en')} people`);

export function GroupRowsSkeleton() {
  return (
    <div role="status" aria-label="Loading">
      {Array.from({ length: 5 }, (_, row) => (
        <div key={row} className={classes.skeleton} aria-hidden>
          <Skeleton height={12} width="30%" />
          <Skeleton height={12} width="12%" ml="auto" />
          <Skeleton height={12} width="12%" />
        </div>
      ))}
    </div>
  );
}
