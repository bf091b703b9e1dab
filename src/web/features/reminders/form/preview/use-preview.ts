import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { isAudience } from '#contract/audience.ts';
import type { MessageFormat } from '#contract/message-format.ts';
import { contactKey } from '#domain/fallback-chains.ts';
import { parseRecipient } from '#domain/recipients.ts';
import { type Previewed, previewTemplate } from '#domain/template-preview.ts';
import { type Contact, messageValues } from '#domain/variables.ts';
import { useContactsLike } from '#web/api/contacts.ts';
import { useFirstReached } from '#web/api/reach.ts';
import { reachDraftOf } from '#web/features/reminders/form/reach-draft.ts';
import type { ReminderDraft } from '#web/features/reminders/form/draft.ts';
import { useScheduleForecast } from '#web/features/reminders/form/schedule-forecast.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';

const typingPauseMs = 200;

/** `body` has marked values where it is Markdown; `values` are those of the recipient. */
export type FilledMessage = Previewed & { format: MessageFormat; values: Readonly<Record<string, string>> };

/**
 * The message for one recipient at the next occurrence, rendered when the user stops typing. It is rendered in the
 * browser, with the engine's code and limits, because requests would send the whole message on every pause and load the
 * server.
 */
export function useFilledMessage(draft: ReminderDraft, recipient: string): FilledMessage {
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
    const marksValues = format === 'markdown';
    return { ...previewTemplate({ subject, body: message }, known, { marksValues }), format, values: known };
  }, [content, recipient, contact, at, timezone, workspace.company_name]);
}

/** The recipients, and after them the first people of the audience, for whom the message can be shown. */
export function usePreviewed({ content, metadata, ...draft }: ReminderDraft): string[] {
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
