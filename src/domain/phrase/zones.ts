import { TimeZone } from '#contract/schedules.ts';
import { letter, quoted, sticky } from './line.ts';
import { type Beside, problem, type Reading, type Recogniser } from './pieces.ts';
import { doubtfulZones, zoneNicknames } from './zone-words.ts';

const letters = new Set(
  'UTC GMT CET CEST MEZ BST EET EEST MSK ET EST EDT CDT MDT PT PST PDT JST KST SGT HKT AEST AEDT NZST NZDT CST IST MST AST WET SST'.split(
    ' ',
  ),
);
const word = `(?![\\d_])${letter}(?:${letter}|[.'’-])*`;
const city = (words: number) => `${word}${` ${word}`.repeat(words - 1)}`;

/**
 * The zones that words name. A city alone may mean anything: it is a zone before the word `time`, and right after other
 * words about time.
 */
export const zoneRecognisers: Recogniser[] = [
  {
    pattern: sticky('(?:in )?(?:my|our) (?:own |local )?time(?: ?zone)?'),
    read: (_, { timezone }) => ({ kind: 'zone', zone: timezone }),
  },
  {
    pattern: sticky(
      `(?:in )?(?:their|the recipient['’]s|each recipient['’]s|local)(?: own)?(?: local)? time(?: ?zone)?`,
    ),
    read: () => problem('A reminder has one timezone for all of its recipients: name it, such as “Berlin time”'),
  },
  {
    pattern: sticky(String.raw`(?:UTC|GMT) ?[+−-]\s?\d{1,2}(?::?\d{2})?`),
    read: ({ words }) => problem(`${quoted(words)} has no summer time: name a place, such as “Berlin time”`),
  },
  {
    // A name of the tz database, such as Europe/Berlin.
    pattern: sticky('(?:in )?(?<zone>[a-z]+(?:/[a-z_+-]+){1,2})(?: time)?'),
    read({ groups }) {
      const zone = TimeZone.safeParse(groups.zone ?? '');
      return zone.success ? { kind: 'zone', zone: zone.data } : null;
    },
  },
  {
    pattern: sticky('(?:in )?(?<letters>[a-z]{2,4})(?: time)?'),
    read: ({ groups }, beside) => abbreviated(groups.letters ?? '', beside),
  },
  ...[1, 2, 3].flatMap((count): Recogniser[] => [
    {
      pattern: sticky(`(?:in )?(?<city>${city(count)}) time(?: ?zone)?`),
      read: ({ groups }) => zoneNamed(groups.city ?? ''),
    },
    {
      pattern: sticky(`(?:in )?(?<city>${city(count)})`),
      // In lower case it may be a plain word: `at 9 central` is not a zone, `at 9 Berlin` is.
      read: ({ groups }, beside) =>
        isBesideTime(beside) && mayBeCity(groups.city ?? '') ? zoneNamed(groups.city ?? '') : null,
    },
  ]),
];

/** `et`, `ist` and `wet` are words: in small letters they are zones right after a time only. */
const plainWords = new Set(['et', 'pt', 'est', 'ist', 'ast', 'cest']);

function abbreviated(said: string, { previous, after }: Beside): Reading | null {
  const name = said.toUpperCase();
  if (!letters.has(name)) return null;
  if (said !== name) {
    const isAfterTime = previous !== null && (previous.kind === 'times' || previous.kind === 'window');
    const isBeside = isBesideTime({ previous }) || /^\s*(?:at\b|@|\d)/i.test(after);
    if (name === 'WET' || !(isAfterTime || (isBeside && !plainWords.has(said)))) return null;
  }
  const doubt = doubtfulZones.get(name);
  if (doubt !== undefined) return problem(`${quoted(said)} can be ${doubt}: write the city, such as “Berlin time”`);
  const zone = zoneNicknames.get(name.toLowerCase()) ?? 'UTC';
  return zone === 'UTC'
    ? { kind: 'zone', zone }
    : { kind: 'zone', zone, notes: [`${quoted(said)} is read as the time of ${zone}, summer and winter`] };
}

const isBesideTime = ({ previous }: Pick<Beside, 'previous'>) =>
  previous !== null && previous.kind !== 'zone' && previous.kind !== 'event' && previous.kind !== 'refused';

/** `9am Easter Monday` is not the time of the island. */
const mayBeCity = (name: string) => /^\p{Lu}/u.test(name) && name !== 'Easter';

let knownWords: ReadonlySet<string> | null = null;

/** The last words of the names of places that have a zone, in lower case: `york`, `berlin`, `german`. Not `easter`, which is a day. */
export const cityWords = (): ReadonlySet<string> =>
  (knownWords ??= new Set(
    [...cities().keys(), ...zoneNicknames.keys()]
      .map((name) => name.split(' ').at(-1) ?? name)
      .filter((name) => name !== 'easter'),
  ));

function zoneNamed(name: string): Reading | null {
  const zone = zoneOf(name);
  return zone === null ? null : { kind: 'zone', zone };
}

function zoneOf(name: string): string | null {
  const key = name.toLowerCase();
  return zoneNicknames.get(key) ?? cities().get(key) ?? null;
}

let known: ReadonlyMap<string, string> | null = null;

/** Every zone by the last part of its name, in lower case: `new york`. */
function cities(): ReadonlyMap<string, string> {
  known ??= new Map(
    Intl.supportedValuesOf('timeZone').map((zone) => [
      (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ').toLowerCase(),
      zone,
    ]),
  );
  return known;
}
