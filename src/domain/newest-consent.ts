import type { ConsentKind } from '#contract/consents.ts';
import type { Coverage } from '#contract/suppressions.ts';
import type { About, ConsentFact } from '#domain/may-be-sent.ts';

/** What somebody said, at an address on a channel. A lower `precedence` counts before a higher one, at whatever time. */
export type Word = {
  kind: ConsentKind;
  covers: Coverage;
  topic_id: string | null;
  precedence: number;
  said_at: string;
};

/** Whether these words of an address agree to a message: the newest one about it counts. `newestConsent` in `platform/newest-consent.ts` says the same. */
export function consentIn(words: readonly Word[], { topicId, kind }: Pick<About, 'topicId' | 'kind'>): ConsentFact {
  const about = words.filter(
    ({ covers, topic_id: of }) =>
      covers === 'everything' ||
      (covers === 'optional' && kind !== 'required') ||
      (covers === 'topic' && of === topicId),
  );
  return newestFirst(about)[0]?.kind === 'given' ? 'given' : 'lacking';
}

/**
 * The words that still count, newest first: without those that a newer one replaces, because it covers as much. What was agreed to and not withdrawn since is
 * among them.
 */
export function standingOf<W extends Word>(words: readonly W[]): W[] {
  const standing: W[] = [];
  for (const word of newestFirst(words)) if (!standing.some((newer) => coversAll(newer, word))) standing.push(word);
  return standing;
}

/**
 * What to say again where a withdrawal is taken back: what it has ended, and nothing that it did not cover. Empty where nothing had been agreed to.
 * @param words all but that withdrawal
 */
export function wordsToRestore<W extends Word>(words: readonly W[], ended: Pick<Word, 'covers' | 'topic_id'>): W[] {
  const isWhole = ({ covers, topic_id: of }: Word) => covers === ended.covers && of === ended.topic_id;
  const within = words.flatMap((word) =>
    isWhole(word) || isNarrower(word.covers, ended.covers)
      ? [word]
      : isNarrower(ended.covers, word.covers)
        ? [{ ...word, ...ended }]
        : [],
  );
  const standing: W[] = [];
  for (const word of newestFirst(within))
    if (!standing.some((newer) => isWhole(newer) || coversAll(newer, word))) standing.push(word);
  // An older withdrawal of the whole is said already, by the one that is taken back.
  return standing.some(({ kind }) => kind === 'given')
    ? standing.filter((word) => word.kind === 'given' || !isWhole(word))
    : [];
}

const widths: Record<Coverage, number> = { everything: 2, optional: 1, topic: 0 };

const isNarrower = (one: Coverage, other: Coverage): boolean => widths[one] < widths[other];

/** What covers optional messages does not cover a topic, which may be required. */
const coversAll = (newer: Word, older: Word): boolean =>
  newer.covers === 'everything' || (newer.covers === older.covers && newer.topic_id === older.topic_id);

const newestFirst = <W extends Word>(words: readonly W[]): W[] =>
  words
    .filter(({ kind }) => kind === 'given' || kind === 'withdrawn')
    .toSorted(
      (a, b) =>
        a.precedence - b.precedence ||
        Date.parse(b.said_at) - Date.parse(a.said_at) ||
        Number(b.kind === 'withdrawn') - Number(a.kind === 'withdrawn'),
    );
