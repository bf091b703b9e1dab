import { needsRecipients } from '#contract/channel-types.ts';
import { isAudience } from '#contract/audience.ts';
import type { ReachBody } from '#contract/reach.ts';
import { isPlain, namesIn } from '#domain/template.ts';
import { inputOf, type ReminderDraft } from './draft.ts';

/**
 * What decides whom the draft reaches; null while it names nobody. Of a text that only inserts values the names are enough, so that
 * typing sends no request.
 */
export function reachDraftOf(draft: ReminderDraft): ReachBody | null {
  const { content, metadata, schedule_config: schedule } = inputOf(draft);
  const { channels, channel_mode, pinned_channels, audience, event_recipients, one_off } = metadata;
  const { recipients } = content;
  const namesNobody = recipients.length === 0 && !isAudience(audience);
  if (channels.length === 0 || (namesNobody && needsRecipients(channels))) return null;
  return {
    content: {
      recipients,
      values: content.values,
      subject: neededOf(content.subject),
      message: neededOf(content.message),
      ...(content.topic_id !== undefined && { topic_id: content.topic_id }),
    },
    metadata: { channels, channel_mode, pinned_channels, audience, event_recipients, one_off },
    is_event: schedule.type === 'event-based',
    timezone: schedule.timezone ?? 'UTC',
  };
}

const neededOf = (text: string) =>
  isPlain(text)
    ? namesIn(text)
        .map((name) => `{{${name}}}`)
        .join('')
    : text;
