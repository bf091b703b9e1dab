import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { SegmentedControl, Select, Title } from '@mantine/core';
import { IconEye } from '@tabler/icons-react';
import { memo, useState } from 'react';
import type { ChannelType } from '#contract/channel-types.ts';
import { DraftReach } from '#web/features/reminders/form/DraftReach.tsx';
import { useReminderFormContext } from '#web/features/reminders/form/form-context.ts';
import type { ReminderDraft } from '#web/features/reminders/form/draft.ts';
import { channelLooks } from '#web/ui/channel-looks.ts';
import { ChannelMessage } from '#web/features/message-preview/ChannelMessage.tsx';
import { channelsFor, placeholdersOf, sampleRecipient } from '#web/features/message-preview/channel-text.ts';
import { previewHere } from '#web/features/message-preview/preview-here.ts';
import { SendToMyself } from '#web/features/message-preview/SendToMyself.tsx';
import { useMailSender } from '#web/features/message-preview/use-mail-sender.ts';
import classes from './MessagePreview.module.css';
import { PreviewProblems } from './PreviewProblems.tsx';
import { type FilledMessage, useFilledMessage, usePreviewed } from './use-preview.ts';

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
        <Shown channel={channel} filled={filled} draft={draft} />
      )}
      <div className={classes.reach}>
        <DraftReach label="Who it reaches" />
      </div>
    </section>
  );
}

type ShownProps = { channel: ChannelType; filled: FilledMessage; draft: ReminderDraft };

function Shown({ channel, filled, draft }: ShownProps) {
  const sender = useMailSender();
  const { format, missing, values } = filled;
  const subject = filled.subject || draft.name;
  const message = previewHere(filled.body, { subject, format, channel, sender });
  return (
    <>
      <ChannelMessage
        {...message}
        channel={channel}
        subject={subject}
        isMarkdown={format === 'markdown'}
        missing={missing}
      />
      <div className={classes.send}>
        <SendToMyself
          channel={channel}
          message={{
            subject: draft.content.subject || draft.name,
            message: draft.content.message,
            format,
            values: { ...values, ...placeholdersOf(missing) },
            timezone: draft.schedule_config.timezone,
          }}
        />
      </div>
    </>
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
