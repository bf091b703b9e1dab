import { useDebouncedValue } from '@mantine/hooks';
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
export function useFilledMessage(draft: ReminderDraft, recipient: string): Previewed & { contact: Contact | null } {
  const { workspace } = useWorkspace();
  const [{ subject, message, values }] = useDebouncedValue(draft.content, typingPauseMs);
  const contact = useContactOf(recipient);
  const { occurrences } = useScheduleForecast(draft.schedule_config);
  const { address, name } = parseRecipient(recipient);
  const known = messageValues({
    recipient: address,
    recipientName: name,
    companyName: workspace.name,
    scheduledFor: momentOf(occurrences?.[0]?.at),
    timezone: draft.schedule_config.timezone,
    values,
    data: {},
    contact,
  });
  return { ...previewTemplate({ subject, body: message }, known), contact };
}

const momentOf = (at: string | undefined) => (at === undefined ? Temporal.Now.instant() : Temporal.Instant.from(at));

/** Who this is among the contacts. */
function useContactOf(recipient: string): Contact | null {
  const key = contactKeyOf(recipient);
  const { data = [] } = useContactsLike(key);
  const isMeant = (written: string | null) => written !== null && recipientKey(written) === key;
  return data.find(({ email, phone }) => isMeant(email) || isMeant(phone)) ?? null;
}
