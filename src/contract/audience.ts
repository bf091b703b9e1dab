import { z } from 'zod';
import { Id, RequiredText, withVisibleName } from '#contract/common.ts';

export const audienceLimits = {
  tag: 50,
  tagsOfContact: 20,
  /** The most groups, tags and contacts that one reminder may name. */
  groups: 20,
  tags: 50,
  contacts: 1_000,
  /** The most people of an audience to whom one occurrence is sent. */
  people: 10_000,
} as const;

/** Two tags with one key are the same tag: neither case, accents nor blanks around them count. */
export function matchKey(text: string): string {
  const plain = text.normalize('NFKD').replaceAll(/[\u0300-\u036f]/g, '');
  // Lower case letter by letter: in a whole word, a final sigma would become another letter than elsewhere.
  const letters = Array.from(plain, (letter) => letter.toLowerCase());
  const first = letters.findIndex((letter) => letter !== ' ');
  return first === -1 ? '' : letters.slice(first, letters.findLastIndex((letter) => letter !== ' ') + 1).join('');
}

export const Tag = RequiredText(audienceLimits.tag, { missing: 'A tag must not be blank' })
  .transform((text) => text.trim())
  .superRefine(withVisibleName)
  .refine((tag) => matchKey(tag) !== '', 'A tag must not be blank');

/** Without tags that occur twice: the first spelling stays. */
export function withoutTwice(tags: readonly string[]): string[] {
  const seen = new Set<string>();
  return tags.filter((tag) => seen.size < seen.add(matchKey(tag)).size);
}

export const Tags = z
  .array(Tag)
  .max(100)
  .transform(withoutTwice)
  .refine(
    (tags) => tags.length <= audienceLimits.tagsOfContact,
    `A contact has at most ${audienceLimits.tagsOfContact} tags`,
  );

/**
 * The contacts to whom a reminder is sent beside its recipients. Who they are is determined when an occurrence is sent; each gets it once, however
 * many groups and tags they have.
 */
export const Audience = z.strictObject({
  everyone: z.boolean().optional(),
  groups: z.array(Id).max(audienceLimits.groups).optional(),
  tags: z.array(Tag).max(audienceLimits.tags).optional(),
  contacts: z.array(Id).max(audienceLimits.contacts).optional(),
});
export type Audience = z.output<typeof Audience>;

/** Whether an audience names anybody. Its groups and tags may still be empty. */
export const isAudience = (audience: Audience | undefined): audience is Audience =>
  audience !== undefined &&
  (audience.everyone === true ||
    [audience.groups, audience.tags, audience.contacts].some((named) => named !== undefined && named.length > 0));
