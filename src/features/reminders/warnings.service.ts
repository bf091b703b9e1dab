import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Reminder } from '#contract/reminders.ts';
import { checkLine, recipientWarnings, warningsOf } from '#domain/warnings.ts';
import type { StoredReminder } from '#features/reminders/reminders.service.ts';
import { endFullSlice, mapInSlices, type Slice } from '#platform/in-slices.ts';

/**
 * Adds warnings to reminders. Their recipients can be hundreds of thousands: they are checked in slices, and the result for a long list is cached.
 * @param ofMessages the result of `messageWarnings` for each reminder
 */
export type AddWarnings = (
  reminders: readonly StoredReminder[],
  ofMessages: readonly (readonly string[])[],
) => Promise<Reminder[]>;

/** From this many recipients on, the warnings of a list are cached. */
const longList = 100;

/** How many lists are cached, each with at most four warnings. */
const rememberedLists = 1_000;

/** How many lines are hashed in the time that checking one takes. */
const hashedPerLine = 20;

/** @param options.isOpen whether this installation allows messages to a private address */
export function createWarnings({ isOpen }: { isOpen: (url: URL) => boolean }): AddWarnings {
  const remembered = new LRUCache<string, readonly string[]>({ max: rememberedLists });

  async function check({ content, metadata }: StoredReminder, slice: Slice): Promise<readonly string[]> {
    const lines = await mapInSlices(content.recipients, (text) => checkLine(text, { isOpen }), { slice });
    await endFullSlice(slice);
    slice.size += lines.length;
    return recipientWarnings(lines, { channels: metadata.channels, isInOrder: metadata.channel_mode === 'in_order' });
  }

  async function ofRecipients(reminder: StoredReminder, slice: Slice): Promise<readonly string[]> {
    const { recipients } = reminder.content;
    if (recipients.length < longList) return check(reminder, slice);
    slice.size += recipients.length / hashedPerLine;
    const key = hashOf(reminder);
    const known = remembered.get(key);
    if (known !== undefined) return known;
    const found = await check(reminder, slice);
    remembered.set(key, found);
    return found;
  }

  return async (reminders, ofMessages) => {
    const slice = { size: 0 };
    const warned: Reminder[] = [];
    for (const [at, reminder] of reminders.entries()) {
      await endFullSlice(slice);
      const found = { ofRecipients: await ofRecipients(reminder, slice), ofMessage: ofMessages[at] ?? [] };
      warned.push({ ...reminder, warnings: warningsOf(reminder, found) });
    }
    return warned;
  };
}

/** A hash of everything that the warnings about recipients depend on. */
const hashOf = ({ content, metadata }: StoredReminder): string =>
  createHash('sha256')
    .update(JSON.stringify([metadata.channels, metadata.channel_mode, content.recipients]))
    .digest('base64');
