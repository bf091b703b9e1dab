import { Button } from '@mantine/core';
import { useState } from 'react';
import type { Reminder } from '#contract/reminders.ts';
import type { ReminderChange } from '#contract/reminder-history.ts';
import { useReminderChanges } from '#web/api/reminders.ts';
import { viewerZone } from '#web/api/viewer-zone.ts';
import { InstantText, momentText } from '#web/ui/InstantText.tsx';
import { Loaded, RecordSection } from '#web/ui/Record.tsx';
import classes from '#web/ui/record.module.css';

const shownAtFirst = 5;

/** Who changed the reminder, when and what, newest first. */
export function ReminderChanges({ reminder: { id, created_at: created } }: { reminder: Reminder }) {
  const changes = useReminderChanges(id);
  const [isWhole, setWhole] = useState(false);
  return (
    <RecordSection title="Changes">
      <Loaded of={changes} failed="Error loading changes">
        {(found) => {
          const hidden = isWhole ? 0 : Math.max(0, found.length - shownAtFirst);
          return (
            <>
              <ul aria-label="Changes">
                {found.slice(0, found.length - hidden).map((change) => (
                  <Row key={change.id} change={change} />
                ))}
                {hidden === 0 && (
                  <li className={classes.row}>
                    <span className={classes.name}>Created</span>
                    <span className={classes.note}>
                      <InstantText at={created} />
                    </span>
                  </li>
                )}
              </ul>
              {hidden > 0 && (
                <p className={classes.quiet}>
                  <Button size="compact-sm" variant="subtle" onClick={() => setWhole(true)}>
                    Show {hidden} more
                  </Button>
                </p>
              )}
            </>
          );
        }}
      </Loaded>
    </RecordSection>
  );
}

const Row = ({ change }: { change: ReminderChange }) => (
  <li className={classes.row}>
    <span className={classes.name}>{whatOf(change)}</span>
    <span className={classes.note}>
      {whoOf(change)} · <InstantText at={change.created_at} />
    </span>
  </li>
);

function whatOf({ action, fields, until }: ReminderChange): string {
  switch (action) {
    case 'reminder.edited':
      return fields === null ? 'Changed' : `Changed ${fields}`;
    case 'reminder.paused':
      return until === null ? 'Paused' : `Paused until ${momentText(until, viewerZone())}`;
    case 'reminder.activated':
      return 'Activated';
    case 'reminder.resumed':
      return 'Resumed';
    case 'reminder.deleted':
      return 'Deleted';
    case 'reminder.restored':
      return 'Restored';
    case 'reminder.calendar_added':
      return 'Calendar added';
    case 'reminder.calendar_changed':
      return 'Calendar changed';
    case 'reminder.calendar_removed':
      return 'Calendar removed';
    default:
      return action;
  }
}

function whoOf({ actor: { kind, name } }: ReminderChange): string {
  if (kind === 'api_key') return name === null ? 'An API key' : `API key ${name}`;
  return name ?? (kind === 'system' ? 'Cuebird' : 'Somebody who has left');
}
