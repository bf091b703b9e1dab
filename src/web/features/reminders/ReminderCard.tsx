import { Card, Title } from '@mantine/core';
import { IconAlertTriangle } from '@tabler/icons-react';
import { Link } from '@tanstack/react-router';
import { memo } from 'react';
import type { ReminderSummary } from '#contract/reminders.ts';
import { StatusBadge } from '#web/ui/StatusBadge.tsx';
import type { ReminderActs } from './act-on-reminder.ts';
import { ReminderActions } from './ReminderActions.tsx';
import classes from './ReminderCard.module.css';
import { ReminderFacts } from './ReminderFacts.tsx';
import { ReminderMenu } from './ReminderMenu.tsx';

type ReminderCardProps = { reminder: ReminderSummary; acts: ReminderActs };

export const ReminderCard = memo(({ reminder, acts }: ReminderCardProps) => {
  return (
    <Card className={classes.card} component="article" aria-labelledby={`reminder-${reminder.id}`}>
      <div className={classes.head}>
        <Title order={2} size="h3" className={classes.name} id={`reminder-${reminder.id}`}>
          <Link to="/reminders/$id" params={{ id: reminder.id }}>
            {reminder.name}
          </Link>
        </Title>
        <StatusBadge kind="reminder" status={reminder.status} />
        <ReminderMenu reminder={reminder} acts={acts} />
      </div>
      {reminder.description && <p className={classes.description}>{reminder.description}</p>}
      <ReminderFacts reminder={reminder} />
      <Warnings sentences={reminder.warnings} />
      <ReminderActions reminder={reminder} acts={acts} />
    </Card>
  );
});

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
