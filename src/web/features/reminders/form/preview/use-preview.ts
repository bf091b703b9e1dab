import { useDebouncedValue } from '@mantine/hooks';
import { useMemo } from 'react';
import { parseRecipient, recipientKey } from '#domain/recipients.ts';
import { type Previewed, previewTemplate } from '#domain/template-preview.ts';
import { type Contact, messageValues } from '#domain/variables.ts';
import { useContactsLike } from '#web/api/contacts.ts';
import type { ReminderDraft } from '#web/features/reminders/form/draft.ts';
import { useScheduleForecast } from '#web/features/reminders/form/schedule-forecast.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import { contactKeyOf } from './channel-text.ts';

const typingPauseMs = 200;

/** The message as the product fills it in for one recipient, at the next occurrence, when the typing pauses. */
export function useFilledMessage(draft: ReminderDraft, recipient: string): Previewed {
  const { workspace } = useWorkspace();
  const [content] = useDebouncedValue(draft.content, typingPauseMs);
  const contact = useContactOf(recipient);
  const { occurrences } = useScheduleForecast(draft.schedule_config);
  const at = occurrences?.[0]?.at ?? null;
  const { timezone } = draft.schedule_config;
  // A text with loops may take as long as a message is given: not at every key in another field.
  return useMemo(() => {
    const { subject, message, values } = content;
    const { address, name } = parseRecipient(recipient);
    const known = messageValues({
      recipient: address,
      recipientName: name,
      companyName: workspace.name,
      scheduledFor: at === null ? Temporal.Now.instant() : Temporal.Instant.from(at),
      timezone,
      values,
      data: {},
      contact,
    });
    return previewTemplate({ subject, body: message }, known);
  }, [content, recipient, contact, at, timezone, workspace.name]);
}

/** Who this is among the contacts. */
function useContactOf(recipient: string): Contact | null {
  const key = contactKeyOf(recipient);
  const { data = [] } = useContactsLike(key);
  const isMeant = (written: string | null) => written !== null && recipientKey(written) === key;
  return data.find(({ email, phone }) => isMeant(email) || isMeant(phone)) ?? null;
}
