import { z } from 'zod';
import { channelTypes } from '#contract/channel-types.ts';
import { MessageFormat } from '#contract/message-format.ts';
import { ReminderMetadata } from '#contract/reminders.ts';
import { delayUnits, scheduleTypes, storedTriggers, triggerTypes } from '#contract/schedules.ts';
import { dayMs } from '#domain/instants.ts';
import type { ReminderDraft } from '#web/features/reminders/form/draft.ts';

const Draft = z.object({
  name: z.string(),
  description: z.string(),
  isActive: z.boolean(),
  schedule_config: z.object({
    type: z.enum(triggerTypes),
    scheduleType: z.enum(scheduleTypes),
    customCron: z.string(),
    startDate: z.string().nullable(),
    endDate: z.string().nullable(),
    timezone: z.string(),
    eventTrigger: z.enum(storedTriggers).nullable(),
    delayAmount: z.union([z.number(), z.string()]),
    delayUnit: z.enum(delayUnits),
  }),
  content: z.object({
    subject: z.string(),
    message: z.string(),
    format: MessageFormat.default('plain'),
    variables: z.array(z.string()),
    values: z.record(z.string(), z.string()),
    recipients: z.array(z.string()),
    topic_id: z.string().nullish(),
  }),
  // A draft may have no channel yet.
  metadata: ReminderMetadata.extend({ channels: z.array(z.enum(channelTypes)) }),
  entries: z.object({ recipient: z.string(), recipients: z.string(), variable: z.string(), phrase: z.string() }),
}) satisfies z.ZodType<ReminderDraft>;

const KeptDraft = z.object({
  saved_at: z.iso.datetime(),
  /** The time of the edited reminder's last change; null for a new one. */
  base: z.string().nullable(),
  draft: Draft,
});
export type KeptDraft = z.output<typeof KeptDraft>;

const keptForMs = 30 * dayMs;

/** The draft stored under a key. Drafts older than a month or in another format are removed. */
export function readKept(storage: Storage, { key, now }: { key: string; now: Date }): KeptDraft | null {
  const text = storage.getItem(key);
  if (text === null) return null;
  const kept = KeptDraft.safeParse(jsonOf(text)).data;
  if (kept !== undefined && now.getTime() - Date.parse(kept.saved_at) < keptForMs) return kept;
  storage.removeItem(key);
  return null;
}

/** How many drafts of messages to chosen people are kept at once. */
const mostMessages = 20;

/** Removes drafts of messages, whose keys begin so, that are old or too many: nobody may choose the same people again. */
export function pruneMessages(storage: Storage, { prefix, now }: { prefix: string; now: Date }): void {
  const keys = Array.from({ length: storage.length }, (_, at) => storage.key(at) ?? '');
  const kept = keys
    .filter((key) => key.startsWith(prefix))
    .flatMap((key) => {
      const draft = readKept(storage, { key, now });
      return draft === null ? [] : [{ key, savedAt: draft.saved_at }];
    })
    .toSorted((one, other) => other.savedAt.localeCompare(one.savedAt));
  for (const { key } of kept.slice(mostMessages)) storage.removeItem(key);
}

/** Throws when the storage is full. */
export function writeKept(storage: Storage, { key, kept }: { key: string; kept: KeptDraft }): true {
  storage.setItem(key, JSON.stringify(kept));
  return true;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
