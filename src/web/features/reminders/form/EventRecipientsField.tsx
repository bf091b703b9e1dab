import '@mantine/core/styles/Checkbox.layer.css';
import { Checkbox } from '@mantine/core';
import { useReminderFormContext } from './form-context.ts';

/** Whether an event reminder is sent to whom the event names; nothing for a scheduled one. */
export function EventRecipientsField() {
  const form = useReminderFormContext();
  const { schedule_config: schedule, metadata } = form.values;
  if (schedule.type !== 'event-based') return null;
  return (
    <Checkbox
      label="Send to whom the event names"
      description="Its recipients, or the email and phone of its data, also inside recipient, contact, customer or user. Recipients and people below get it as well."
      checked={metadata.event_recipients === true}
      onChange={({ currentTarget }) => {
        form.setFieldValue('metadata.event_recipients', currentTarget.checked);
        form.clearFieldError('content.recipients');
      }}
    />
  );
}
