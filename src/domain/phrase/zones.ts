import { TimeZone } from '#contract/schedules.ts';
import { type Found, letter, type Line, phrase, quoted, type Span } from './line.ts';
import { doubtfulZones, zoneNicknames } from './zone-words.ts';

export type SaidZone = Span & ({ zone: string; note: string | null } | { problem: string });

// A name of the tz database, such as Europe/Berlin.
const database = /(?<![\w/.])(?:in )?(?<zone>[a-z]+(?:\/[a-z_+-]+){1,2})(?: time)?(?![\w/])/i;
const offset = /(?<!\w)(?:UTC|GMT)\s?[+-−]\s?\d{1,2}(?::?\d{2})?(?!\w)/;
const letters =
  /(?<!\w)(?:UTC|GMT|CES?T|MEZ|BST|EES?T|MSK|E[SD]?T|CDT|MDT|P[SD]?T|JST|KST|SGT|HKT|AE[SD]T|NZ[SD]T|CST|IST|MST|AST|WET|SST)(?: time)?(?!\w)/;
const theirs =
  /(?<!\w)(?:in )?(?:their|the recipient['’]s|each recipient['’]s|local)(?: own)?(?: local)? time(?: ?zone)?(?!\w)/i;
const mine = /(?<!\w)(?:in )?(?:my|our) (?:own |local )?time(?: ?zone)?(?!\w)/i;
const word = `(?![\\d_])${letter}(?:${letter}|[.'’-])*`;
const city = `${word}(?: ${word}){0,2}`;
const beforeTime = phrase(`(?:in )?(?<city>${city}) time(?: ?zone)?`);
const afterTime = new RegExp(String.raw`^(?<lead>\s*,?\s*(?:in )?)(?<city>${city})`, 'i');

/**
 * The zone that a line names. A city alone may mean anything: it counts before the word `time`, and right after a time
 * of day.
 * @param times set when the line has a time of day
 */
export function takeZone(line: Line, { times, timezone }: { times: Span | null; timezone: string }): SaidZone | null {
  const own = line.take(mine);
  if (own !== null) return { ...spanOf(own), zone: timezone, note: null };
  const foreign = line.take(theirs);
  if (foreign !== null) return { ...spanOf(foreign), problem: notTheirs };
  const shifted = line.take(offset);
  if (shifted !== null) return { ...spanOf(shifted), problem: zoneNotOffset(shifted) };
  return takeDatabaseName(line) ?? takeLetters(line) ?? takeCity(line, beforeTime) ?? takeAfter(line, times);
}

const notTheirs = 'A reminder has one time zone for all of its recipients: name it, such as “Berlin time”';

const zoneNotOffset = (found: Found) =>
  `${quoted(found.words)} has no summer time: name a place, such as “Berlin time”`;

const spanOf = ({ from, to }: Span): Span => ({ from, to });

function takeDatabaseName(line: Line): SaidZone | null {
  const found = line.find(database);
  const zone = TimeZone.safeParse(found?.groups.zone ?? '');
  if (found === null || !zone.success) return null;
  line.takeSpan(found);
  return { ...spanOf(found), zone: zone.data, note: null };
}

function takeLetters(line: Line): SaidZone | null {
  const found = line.take(letters);
  if (found === null) return null;
  const name = found.words.replace(/ time$/i, '');
  const doubt = doubtfulZones.get(name);
  if (doubt !== undefined)
    return { ...spanOf(found), problem: `${quoted(name)} can be ${doubt}: write the city, such as “Berlin time”` };
  const zone = zoneNicknames.get(name.toLowerCase()) ?? 'UTC';
  return {
    ...spanOf(found),
    zone,
    note: zone === 'UTC' ? null : `${quoted(name)} is read as the time of ${zone}, summer and winter`,
  };
}

function takeCity(line: Line, pattern: RegExp): SaidZone | null {
  const found = line.find(pattern);
  if (found === null) return null;
  // The words before the city belong to something else: the longest name that is a zone counts.
  const words = (found.groups.city ?? '').split(' ');
  for (let skipped = 0; skipped < words.length; skipped += 1) {
    const name = words.slice(skipped).join(' ');
    const zone = zoneOf(name);
    if (zone === null) continue;
    const at = found.words.lastIndexOf(name);
    const before = found.words.slice(0, at);
    const from = found.from + at - (/in $/i.exec(before)?.[0].length ?? 0);
    const span = { from, to: found.to };
    line.takeSpan(span);
    return { ...span, zone, note: null };
  }
  return null;
}

function takeAfter(line: Line, times: Span | null): SaidZone | null {
  if (times === null) return null;
  const match = afterTime.exec(line.free().slice(times.to));
  if (match === null) return null;
  const words = (match.groups?.city ?? '').split(' ');
  for (let count = words.length; count > 0; count -= 1) {
    const name = words.slice(0, count).join(' ');
    const zone = zoneOf(name);
    // In lower case it may be a plain word: `at 9 central` is not a zone, `at 9 Berlin` is.
    if (zone === null || !/^\p{Lu}/u.test(name)) continue;
    const from = times.to + (match.groups?.lead?.length ?? 0);
    const span = { from: from - (/in $/i.test(match.groups?.lead ?? '') ? 3 : 0), to: from + name.length };
    line.takeSpan(span);
    return { ...span, zone, note: null };
  }
  return null;
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
