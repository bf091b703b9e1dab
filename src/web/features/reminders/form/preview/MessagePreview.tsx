import '@mantine/core/styles/SegmentedControl.layer.css';
import { SegmentedControl, Select, Title } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { memo, useState } from 'react';
import { DraftReach } from '#web/features/reminders/form/DraftReach.tsx';
import { useReminderFormContext } from '#web/features/reminders/form/form-context.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { channelsFor, sampleRecipient } from './channel-text.ts';
import classes from './MessagePreview.module.css';
import { MessageText } from './MessageText.tsx';
import { PreviewProblems } from './PreviewProblems.tsx';
import { useFilledMessage, usePreviewed } from './use-preview.ts';

const offeredAtMost = 100;

/** The message as one recipient gets it, rendered by the renderer of real messages. */
export default function MessagePreview() {
  const { values: draft } = useReminderFormContext();
  const recipients = usePreviewed(draft);
  const [chosen, choose] = useState<string | null>(null);
  const [wanted, want] = useState<string | null>(null);
  const recipient = recipients.find((one) => one === chosen) ?? recipients[0] ?? sampleRecipient;
  const channels = channelsFor(recipient, draft.metadata.channels);
  const channel = channels.find((one) => one === wanted) ?? channels[0];
  const filled = useFilledMessage(draft, recipient);
  return (
    <section className={classes.panel} aria-labelledby="preview">
      <Title order={2} size="h4" id="preview" className={classes.title}>
        <IconEye size={16} stroke={1.8} aria-hidden />
        Preview
      </Title>
      {recipients.length === 0 ? (
        <p className={classes.note}>Shown for {sampleRecipient} until a recipient is added.</p>
      ) : (
        <RecipientChoice recipients={recipients} chosen={recipient} onChoose={choose} />
      )}
      {channels.length > 1 && (
        <SegmentedControl
          className={classes.channels}
          aria-label="Channel"
          fullWidth
          size="xs"
          data={channels.map((value) => ({ value, label: channelLooks[value].name }))}
          value={channel ?? ''}
          onChange={want}
        />
      )}
      <PreviewProblems filled={filled} isEvent={draft.schedule_config.type === 'event-based'} />
      {channel === undefined ? (
        <p className={classes.note}>None of the chosen channels reaches this recipient.</p>
      ) : (
        <MessageText channel={channel} filled={filled} name={draft.name} />
      )}
      <div className={classes.reach}>
        <DraftReach label="Who it reaches" />
      </div>
    </section>
  );
}

type RecipientChoiceProps = { recipients: string[]; chosen: string; onChoose: (one: string | null) => void };

/** Memoized, because there may be ten thousand recipients and the form renders on every keystroke. */
const RecipientChoice = memo(({ recipients, chosen, onChoose }: RecipientChoiceProps) => (
  <Select
    label="For"
    data={recipients}
    searchable
    limit={offeredAtMost}
    allowDeselect={false}
    nothingFoundMessage="No recipient found"
    maxDropdownHeight={240}
    value={chosen}
    onChange={onChoose}
    // Typing replaces the chosen one.
    onFocus={(event) => event.currentTarget.select()}
  />
));
