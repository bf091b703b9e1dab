import { isAudience } from '#contract/audience.ts';
import type { ReachBody } from '#contract/reach.ts';
import { isPlain, namesIn } from '#domain/template.ts';
import { inputOf, type ReminderDraft } from './draft.ts';

/**
 * What decides whom the draft reaches; null while it names nobody. Of a text that only inserts values the names are enough, so that
 * typing sends no request.
 */
export function reachDraftOf(draft: ReminderDraft): ReachBody | null {
  const { channels, channel_mode, pinned_channels, audience, event_recipients } = draft.metadata;
  const { recipients } = draft.content;
  if (channels.length === 0 || (recipients.length === 0 && !isAudience(audience))) return null;
  const { content, schedule_config: schedule } = inputOf(draft);
  return {
    content: {
      recipients,
      values: content.values,
      subject: neededOf(content.subject),
      message: neededOf(content.message),
    },
    metadata: { channels, channel_mode, pinned_channels, audience, event_recipients },
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
