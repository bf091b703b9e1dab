import { Button, Stack } from '@mantine/core';
import { needsRecipients } from '#contract/channel-types.ts';
import { isAudience } from '#contract/audience.ts';
import { useAudience } from '#web/api/contact-groups.ts';
import { counted } from '#domain/in-words.ts';
import { Dialog } from '#web/ui/Dialog.tsx';
import { useDialogState } from '#web/ui/use-dialog-state.ts';
import type { ScheduleDraft } from './draft.ts';
import { useReminderFormContext } from './form-context.ts';

type Answer = 'named by the event' | 'chosen here' | 'both';

/**
 * Chooses the trigger, and asks who gets the message where people were chosen for times: each event would otherwise reach all of them. The trigger
 * stays as it was until that is answered.
 */
export function useTriggerChoice() {
  const form = useReminderFormContext();
  const { state, open, dialog } = useDialogState();
  const choose = (type: ScheduleDraft['type']) => {
    const { content, metadata, schedule_config: schedule } = form.getValues();
    const hasPeople =
      needsRecipients(metadata.channels) && (content.recipients.length > 0 || isAudience(metadata.audience));
    if (type === 'event-based' && schedule.type === 'scheduled' && hasPeople) return open(true);
    form.setFieldValue('schedule_config.type', type);
  };
  const answer = (who: Answer) => {
    form.setFieldValue('schedule_config.type', 'event-based');
    form.setFieldValue('metadata.event_recipients', who !== 'chosen here');
    if (who === 'named by the event') {
      form.setFieldValue('content.recipients', []);
      form.setFieldValue('metadata.audience', undefined);
    }
    dialog.onClose();
  };
  return { choose, dialog: <EventPeopleDialog key={state.openCount} onAnswer={answer} {...dialog} /> };
}

type DialogProps = { opened: boolean; onClose: () => void; onAnswer: (who: Answer) => void };

function EventPeopleDialog({ opened, onClose, onAnswer }: DialogProps) {
  const { content, metadata } = useReminderFormContext().values;
  const people = useAudience(opened ? metadata.audience : undefined).data?.people;
  const chosen = [
    ...(content.recipients.length > 0 ? [counted(content.recipients.length, 'recipient', 'recipients')] : []),
    ...(isAudience(metadata.audience)
      ? [people === undefined ? 'the people' : counted(people, 'person', 'people')]
      : []),
  ].join(' and ');
  return (
    <Dialog title="Who gets it when the event happens?" opened={opened} onClose={onClose}>
      <p>So far it goes to {chosen} chosen here. An event may name its own.</p>
      <Stack gap={8} mt="lg">
        <Button onClick={() => onAnswer('named by the event')} data-autofocus>
          Only whom the event names
        </Button>
        <Button variant="default" onClick={() => onAnswer('both')}>
          Whom the event names, and {chosen} each time
        </Button>
        <Button variant="default" onClick={() => onAnswer('chosen here')}>
          Only {chosen}, each time
        </Button>
        <Button variant="subtle" onClick={onClose}>
          Cancel
        </Button>
      </Stack>
    </Dialog>
  );
}
