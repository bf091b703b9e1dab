import { randomUUIDv7 } from 'node:crypto';
import type { ChannelType } from '#contract/channel-types.ts';
import { consentLimits, type ConsentKind, type ConsentMethod, type ConsentSource } from '#contract/consents.ts';
import type { SuppressionReason } from '#contract/suppressions.ts';
import { wordsToRestore } from '#domain/newest-consent.ts';
import * as rows from '#features/consents/choices.db.ts';
import { findNewestWords } from '#features/consents/required-consent.db.ts';
import { announce } from '#platform/changes.ts';
import type { Actor } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';
import { RateLimited } from '#platform/errors.ts';

/** Whose choice is written, in the caller's transaction. `actor` is null where the recipients act themselves. */
export type Recording = { db: Db; workspaceId: string; actor: Actor | null; now: string };

/** What somebody said, as the record of consents has it. */
export type Said = {
  kind: ConsentKind;
  method: ConsentMethod;
  /** When, where that was not now. */
  at?: string;
  text?: string;
  source?: ConsentSource;
  /** Whether the same word at the same time is to be written once, however often it is told. */
  isOnce?: boolean;
  /** Who did not hear it themselves counts behind whoever did. */
  precedence?: 1 | 2;
};

/** The entry of the suppression list that a choice adds. */
type Entry = { reason: SuppressionReason; createdBy: string | null; at?: string; endsAt?: string | null };

/** A choice about the messages to a recipient. `said` is null where nobody chose: a mailbox that does not exist. */
export type Choice = rows.Covered & { said: Said | null; entry: Entry | null };

/** `entryId`: null where no entry was added; `isNews`: whether the record had not this word already. */
export type Written = { entryId: string | null; wordId: string | null; isNews: boolean };

/**
 * Writes choices: the entries of the suppression list, and what was said into the record of consents. Nothing else adds to either, so that none is without the other.
 * An entry that is there keeps its reason. Waiting deliveries need no update: the list is asked before every attempt.
 */
export async function recordChoices(of: Recording, choices: readonly Choice[]): Promise<Written[]> {
  const { db, workspaceId, actor, now } = of;
  const adding = choices.flatMap((choice) => {
    const { entry, said: _, ...covered } = choice;
    if (entry === null) return [];
    const { at = now, endsAt = null, ...fields } = entry;
    return [{ choice, row: { ...covered, ...fields, endsAt, createdAt: at } }];
  });
  const ids = await rows.insertEntries(db, { workspaceId, entries: adding.map(({ row }) => row) });
  const entryIds = new Map(adding.map(({ choice }, n) => [choice, ids[n] ?? null]));
  const words: { choice: Choice; word: rows.NewWord }[] = [];
  for (const choice of choices) {
    const { said, entry: _, ...covered } = choice;
    if (said === null) continue;
    // A link is opened by anybody who has it, as often as they like.
    const isRepeated = said.method === 'link' && said.kind === 'withdrawn' && entryIds.get(choice) === null;
    if (isRepeated && (await rows.isWithdrawn(db, { workspaceId, ...covered, method: said.method }))) continue;
    words.push({ choice, word: wordOf(of, { covered, said }) });
  }
  const added = await rows.insertWords(db, {
    workspaceId,
    actorId: idOf(actor),
    words: words.map(({ word }) => word),
    now,
  });
  if (choices.length > 0) await announce(of, ['suppressions', 'topics', 'consents']);
  const wordIds = new Map(words.map(({ choice, word }) => [choice, word.id]));
  const news = new Set(added);
  return choices.map((choice) => {
    const wordId = wordIds.get(choice) ?? null;
    // Told twice in one request, it is news once.
    return { entryId: entryIds.get(choice) ?? null, wordId, isNews: wordId !== null && news.delete(wordId) };
  });
}

/** Takes entries off the suppression list, and writes what was said about each. Returns those that were there. */
export async function removeEntries(
  of: Recording,
  { said, ...removal }: rows.Removal & { said: Said | null },
): Promise<rows.Removed[]> {
  const removed = await rows.deleteEntries(of.db, { workspaceId: of.workspaceId, ...removal });
  await recordChoices(
    of,
    // A pause is no withdrawal, and its end no consent.
    removed.map(({ reason, since: _, ...covered }) => ({
      ...covered,
      said: reason === 'paused' ? null : said,
      entry: null,
    })),
  );
  return removed;
}

/** Takes back what recipients themselves have ended, by `removal`. Returns how many entries there were. */
export async function takeBack(
  of: Recording,
  { endedBy, said: how, ...removal }: rows.Removal & { endedBy: readonly ConsentMethod[]; said: Omit<Said, 'kind'> },
): Promise<number> {
  const removed = await removeEntries(of, { ...removal, isOfRecipient: true, said: null });
  for (const { reason, since, ...covered } of removed)
    if (reason !== 'paused') await restoreConsents(of, { covered, since, endedBy, how });
  return removed.length;
}

/** Writes again what counted before a withdrawal. Who had agreed to nothing has not agreed by taking it back. */
async function restoreConsents(
  of: Recording,
  {
    covered,
    since,
    endedBy: methods,
    how,
  }: { covered: rows.Covered; since: string; endedBy: readonly ConsentMethod[]; how: Omit<Said, 'kind'> },
): Promise<void> {
  const { channel, recipient, covers, topicId } = covered;
  const words = await findNewestWords(of.db, {
    workspaceId: of.workspaceId,
    recipients: [recipient],
    ended: { covers, topicId, methods, since },
  });
  const restored = wordsToRestore(
    words.filter((word) => word.channel === channel),
    { covers, topic_id: topicId },
  );
  await recordChoices(
    of,
    restored.length === 0
      ? [{ ...covered, said: { ...how, kind: 'lifted' }, entry: null }]
      : restored.map(({ kind, covers: own, topic_id: ownTopic, text }) => ({
          channel,
          recipient,
          covers: own,
          topicId: ownTopic,
          said: { ...how, kind, ...(text !== null && { text }) },
          entry: null,
        })),
  );
}

/** Pauses the optional messages to a recipient, which is no withdrawal. Returns whether the pause ends as asked. */
export async function pauseMessages(
  of: Recording,
  pause: { channel: ChannelType; recipient: string; endsAt: string; since: string },
): Promise<boolean> {
  const isPaused = await rows.insertPause(of.db, { ...pause, workspaceId: of.workspaceId, now: of.now });
  await announce(of, ['suppressions', 'topics']);
  return isPaused;
}

const dayMs = 24 * 60 * 60 * 1000;

/** Refuses to undo more by a link than anybody wants to: each is a row that stays. */
export async function assertMayUndo(
  { db, workspaceId, now }: Recording,
  { channel, recipient }: { channel: ChannelType; recipient: string },
): Promise<void> {
  const since = new Date(Date.parse(now) - dayMs).toISOString();
  if ((await rows.countUndone(db, { workspaceId, channel, recipient, since })) < consentLimits.undoneOfDay) return;
  throw new RateLimited('This link was used to get messages again many times today.', { retryAfterSeconds: 3_600 });
}

function wordOf(
  { workspaceId, now }: Recording,
  { covered, said }: { covered: rows.Covered; said: Said },
): rows.NewWord {
  const { kind, method, at: saidAt = now, text = null, source = {}, isOnce = false, precedence = 0 } = said;
  const word = { ...covered, kind, method, text, saidAt };
  const id = isOnce ? rows.idOfWord({ workspaceId, ...word }) : randomUUIDv7();
  return { ...word, id, source, precedence };
}

const idOf = (actor: Actor | null): string | null =>
  actor === null ? null : actor.kind === 'user' ? actor.userId : actor.apiKeyId;
