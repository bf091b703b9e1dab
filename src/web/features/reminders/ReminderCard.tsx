import { Card, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import type { Reminder } from '#contract/reminders.ts';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import { ReminderActions } from './ReminderActions.tsx';
import classes from './ReminderCard.module.css';
import { ReminderFacts } from './ReminderFacts.tsx';
import { ReminderMenu } from './ReminderMenu.tsx';

type ReminderCardProps = { reminder: Reminder; onTest: () => void; onDelete: () => void };

export function ReminderCard({ reminder, onTest, onDelete }: ReminderCardProps) {
  return (
    <Card className={classes.card} component="article" aria-labelledby={`reminder-${reminder.id}`}>
      <div className={classes.head}>
        <Title order={2} size="h3" className={classes.name} id={`reminder-${reminder.id}`}>
          <Link to="/reminders/$id/edit" params={{ id: reminder.id }}>
            {reminder.name}
          </Link>
        </Title>
        <StatusBadge kind="reminder" status={reminder.status} />
        <ReminderMenu name={reminder.name} onDelete={onDelete} />
      </div>
      {reminder.description && <p className={classes.description}>{reminder.description}</p>}
      <ReminderFacts reminder={reminder} />
      <Warnings sentences={reminder.warnings} />
      <ReminderActions reminder={reminder} onTest={onTest} />
    </Card>
  );
}

function Warnings({ sentences }: { sentences: readonly string[] }) {
  if (sentences.length === 0) return null;
  return (
    <ul className={classes.warnings} aria-label="Warnings">
      {sentences.map((sentence) => (
        <li key={sentence}>
          <IconAlertTriangle size={14} aria-hidden />
          <span className={classes.sentence}>{sentence}</span>
        </li>
      ))}
    </ul>
  );
}
