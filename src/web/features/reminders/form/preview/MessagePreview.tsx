import '@mantine/core/styles/FloatingIndicator.layer.css';
import '@mantine/core/styles/SegmentedControl.layer.css';
import { Box, SegmentedControl, Select, Title } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconEye } from '@tabler/icons-react';
import { memo, useMemo, useState } from 'react';
import { isAudience } from '#contract/audience.ts';
import { type ChannelType, needsRecipients } from '#contract/channel-types.ts';
import type { MessageFormat } from '#contract/message-format.ts';
import { contactKey } from '#domain/fallback-chains.ts';
import { addresseeOf, parseRecipient } from '#domain/recipients.ts';
import { type Previewed, previewTemplate } from '#domain/template-preview.ts';
import { type Contact, messageValues } from '#domain/variables.ts';
import { useContactsLike } from '#web/api/contacts.ts';
import { useFirstReached } from '#web/api/reach.ts';
import {
  channelsFor,
  placeholdersOf,
  problemInWords,
  sampleRecipient,
} from '#web/features/message-preview/channel-text.ts';
import { ChannelMessage } from '#web/features/message-preview/ChannelMessage.tsx';
import { previewHere } from '#web/features/message-preview/preview-here.ts';
import { SendToMyself } from '#web/features/message-preview/SendToMyself.tsx';
import { useMailSender } from '#web/features/message-preview/use-mail-sender.ts';
import type { ReminderDraft } from '#web/features/reminders/form/draft.ts';
import { DraftReach } from '#web/features/reminders/form/DraftReach.tsx';
import { useReminderFormContext } from '#web/features/reminders/form/form-context.ts';
import { reachDraftOf } from '#web/features/reminders/form/reach-draft.ts';
import { useScheduleForecast } from '#web/features/reminders/form/schedule-forecast.ts';
import { Notice } from '#web/ui/Notice.tsx';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { channelLooks } from '#web/ui/channel-looks.ts';
import classes from './MessagePreview.module.css';
import forecast from '#web/features/reminders/form/ForecastPanel.module.css';

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
  const hasRecipients = needsRecipients(draft.metadata.channels);
  const filled = useFilledMessage(draft, addresseeOf(channel ?? 'email', recipient));
  return (
    <section className={classes.panel} aria-labelledby="preview">
      <Title order={2} size="h4" id="preview" mb={8} className={forecast.title}>
        <IconEye size={16} stroke={1.8} aria-hidden />
        Preview
      </Title>
      {!hasRecipients ? (
        <p className={classes.note}>Shown as everyone there sees it.</p>
      ) : recipients.length === 0 ? (
        <p className={classes.note}>Shown for {sampleRecipient} until a recipient is added.</p>
      ) : (
        <RecipientChoice recipients={recipients} chosen={recipient} onChoose={choose} />
      )}
      {channels.length > 1 && (
        <SegmentedControl
          mt={12}
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
        missing={missing}
        pinned={draft.metadata.pinned_channels?.slack}
      />
      <Box mt={12}>
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
      </Box>
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

const typingPauseMs = 200;

/** `body` has marked values; `values` are those of the recipient. */
type FilledMessage = Previewed & { format: MessageFormat; values: Readonly<Record<string, string>> };

/**
 * The message for one recipient at the next occurrence, rendered when the user stops typing. It is rendered in the
 * browser, with the engine's code and limits, because requests would send the whole message on every pause and load the
 * server.
 */
function useFilledMessage(draft: ReminderDraft, recipient: string): FilledMessage {
  const { workspace } = useWorkspace();
  const [content] = useDebouncedValue(draft.content, typingPauseMs);
  const contact = useContactOf(recipient);
  const { occurrences } = useScheduleForecast(draft.schedule_config);
  const at = occurrences?.[0]?.at ?? null;
  const { timezone } = draft.schedule_config;
  // Memoized, because a text with loops may use the full render time limit.
  return useMemo(() => {
    const { subject, message, format, values } = content;
    const { address, name } = parseRecipient(recipient);
    const known = messageValues({
      recipient: address,
      recipientName: name,
      companyName: workspace.company_name,
      scheduledForMs: at === null ? Temporal.Now.instant().epochMilliseconds : Date.parse(at),
      timezone,
      values,
      data: {},
      contact,
    });
    return { ...previewTemplate({ subject, body: message }, known, { marksValues: true }), format, values: known };
  }, [content, recipient, contact, at, timezone, workspace.company_name]);
}

/** The recipients, and after them the first people of the audience, for whom the message can be shown. */
function usePreviewed({ content, metadata, ...draft }: ReminderDraft): string[] {
  const { recipients } = content;
  const { audience } = metadata;
  const hasAudience = isAudience(audience);
  const [asked] = useDebouncedValue(
    hasAudience
      ? // Without the text, also those are found who lack a value of it.
        reachDraftOf({ ...draft, metadata, content: { ...content, recipients: [], subject: '', message: '' } })
      : null,
    typingPauseMs,
  );
  const { data: people } = useFirstReached(asked === null ? null : { draft: asked });
  return useMemo(() => {
    const named = (hasAudience ? (people ?? []) : []).flatMap(({ name, targets }) => {
      const address = targets.find(({ problem }) => problem === null)?.recipient;
      return address === undefined ? [] : [name === null ? address : `${name} <${address}>`];
    });
    return [...new Set([...recipients, ...named])];
  }, [recipients, hasAudience, people]);
}

/** The contact that a recipient matches. */
function useContactOf(recipient: string): Contact | null {
  const key = contactKey(recipient);
  const { data = [] } = useContactsLike(key);
  const isMeant = (written: string | null) => written !== null && contactKey(written) === key;
  return data.find(({ email, phone }) => isMeant(email) || isMeant(phone)) ?? null;
}

/** The problems that would prevent this recipient's message. */
function PreviewProblems({ filled: { missing, problems }, isEvent }: { filled: Previewed; isEvent: boolean }) {
  if (missing.length === 0 && problems.length === 0) return null;
  return (
    <Notice>
      {missing.length > 0 && (
        <div>
          Without a value: {missing.join(', ')}.{' '}
          {isEvent
            ? 'The event must provide it, or nothing is sent.'
            : 'This recipient gets no message until every value is set.'}
        </div>
      )}
      {problems.map(({ part, message }) => (
        <div key={part}>
          The {part === 'body' ? 'message' : 'subject'} cannot be filled in: {problemInWords(message)}
        </div>
      ))}
    </Notice>
  );
}
