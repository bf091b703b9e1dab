import { matchKey } from '#contract/audience.ts';
import type { SaidAudience } from './recipients.ts';

/** The groups and tags of a workspace. */
export type Groups = { groups: readonly { id: string; name: string }[]; tags: readonly string[] };

/** A group, a tag or everyone. Who belongs to it is determined when the reminder is sent. */
export type NamedAudience =
  | { kind: 'everyone' }
  | { kind: 'group'; id: string; name: string }
  | { kind: 'tag'; tag: string };

/**
 * What words for people name. `asked` is the kind that they say; `rank` 1 for the exact name, 2 for its singular or plural. `also` are others with
 * this name.
 */
export type Naming = { asked: 'group' | 'tag' | null; named: NamedAudience | null; rank: 1 | 2; also: 'tag' | null };

const intro = new Set(
  'all each every everyone everybody anyone people contacts those the our my of in at with who have has'.split(' '),
);
const wholes = new Set(['everyone', 'everybody']);

/** The group or tag that the words name: exactly, or in the plural. Never a similar one. */
export function namingOf(audience: string, known: Groups | undefined): Naming {
  const words = audience.trim().split(/\s+/);
  const start = words.findIndex((word) => !intro.has(word.toLowerCase()));
  const rest = start === -1 ? [] : words.slice(start);
  const { asked, name } = saidName(rest);
  if (asked !== null) return { asked, ...found([name], knownAs(asked, known)) };
  const naming = found([words.join(' '), rest.join(' '), ...withoutNoun(rest)], knownAs(null, known));
  if (naming.named === null && start === -1 && isEveryone(words))
    return { asked: null, named: { kind: 'everyone' }, rank: 1, also: null };
  return { asked: null, ...naming };
}

/** How many parts a name may have: `Friends, family and neighbours` has three. */
const longestName = 6;

/** The audiences, where several words that are divided by `and` or a comma are one name: `Friends and family`. */
export function joinedNames(
  said: readonly SaidAudience[],
  { text, known }: { text: string; known: Groups | undefined },
): SaidAudience[] {
  const joined: SaidAudience[] = [];
  for (let at = 0; at < said.length; at += 1) {
    const first = said[at];
    if (first === undefined) break;
    const last = said.findLastIndex(
      ({ to }, end) => end > at && end < at + longestName && namingOf(text.slice(first.from, to), known).named !== null,
    );
    const end = said[last];
    if (last === -1 || end === undefined) joined.push(first);
    else {
      joined.push({ from: first.from, to: end.to, audience: text.slice(first.from, end.to) });
      at = last;
    }
  }
  return joined;
}

const isEveryone = (words: readonly string[]): boolean => {
  const said = new Set(words.map((word) => word.toLowerCase()));
  return !wholes.isDisjointFrom(said) || (said.has('all') && (said.has('contacts') || said.has('people')));
};

function saidName([head = '', ...rest]: readonly string[]): { asked: Naming['asked']; name: string } {
  const name = rest.join(' ');
  if (head.startsWith('#') && head.length > 1) return { asked: 'tag', name: [head.slice(1), ...rest].join(' ') };
  if (name === '') return { asked: null, name: head };
  if (/^tag(?:s|ged)?$/i.test(head)) return { asked: 'tag', name };
  if (/^group$/i.test(head)) return { asked: 'group', name };
  return { asked: null, name: '' };
}

/** `Board group` is the group `Board`. */
const withoutNoun = (words: readonly string[]): string[] =>
  words.length > 1 && /^group$/i.test(words.at(-1) ?? '') ? [words.slice(0, -1).join(' ')] : [];

const knownAs = (asked: Naming['asked'], { groups, tags }: Groups = { groups: [], tags: [] }): Groups => ({
  groups: asked === 'tag' ? [] : groups,
  tags: asked === 'group' ? [] : tags,
});

function found(names: readonly string[], { groups, tags }: Groups): Omit<Naming, 'asked'> {
  const keys = new Set(names.filter((name) => name !== '').map(matchKey));
  for (const rank of [1, 2] as const) {
    const means = (name: string) => keysOf(matchKey(name), rank).some((key) => keys.has(key));
    const group = groups.find(({ name }) => means(name));
    const tag = tags.find(means);
    if (group !== undefined)
      return { named: { kind: 'group', id: group.id, name: group.name }, rank, also: tag === undefined ? null : 'tag' };
    if (tag !== undefined) return { named: { kind: 'tag', tag }, rank, also: null };
  }
  return { named: null, rank: 1, also: null };
}

const keysOf = (key: string, rank: 1 | 2): string[] =>
  rank === 1 ? [key] : [`${key}s`, ...(key.endsWith('s') ? [key.slice(0, -1)] : [])];
