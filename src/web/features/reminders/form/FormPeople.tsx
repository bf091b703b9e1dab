import { Button } from '@mantine/core';
import { IconUsers } from '@tabler/icons-react';
import { isAudience } from '#contract/audience.ts';
import { isForEvent } from '#contract/reminders.ts';
import { useRecipientsText } from '#web/features/reminders/use-recipients-text.ts';
import { useReminderFormContext } from './form-context.ts';
import classes from './ReminderForm.module.css';

/** Above the tabs: the people to whom the reminder is sent, and the way to change them. Nothing while none are chosen. */
export function FormPeople({ onEdit }: { onEdit: () => void }) {
  const { content, metadata, schedule_config: schedule } = useReminderFormContext().values;
  const isEvent = isForEvent({ schedule_config: schedule, metadata });
  const text = useRecipientsText(content.recipients.length, { audience: metadata.audience, isForEvent: isEvent });
  if (!isAudience(metadata.audience) && !isEvent) return null;
  return (
    <div className={classes.to}>
      <IconUsers size={16} stroke={1.6} aria-hidden />
      <span>
        To <strong>{isEvent ? text.replace(/^./, (letter) => letter.toLowerCase()) : text}</strong>
      </span>
      <Button size="compact-sm" variant="subtle" aria-label="Change the people" onClick={onEdit}>
        Change
      </Button>
    </div>
  );
}
