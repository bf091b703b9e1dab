/** Words about time that are long enough to be recognised when they are misspelled. */
const longWords =
  `monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays fridays saturdays
  sundays january february march april august september october november december today tomorrow tonight yesterday every
  weekly daily monthly yearly hourly fortnightly quarterly annually weekday weekdays weekend weekends midnight midday morning
  evening afternoon until starting beginning fortnight second third fourth fifth week weeks month months minute minutes hours
  years quarter except excluding noon time close business`.split(/\s+/);
/** Short words about time, which resemble many others. */
const shortWords =
  'between before after during each next last first days hour year from till at on mon tue wed thu fri sat sun july june'.split(
    ' ',
  );
const abbreviations = ['EOD', 'UTC'];

/** Words that differ from these by one or two letters, but are correct anywhere in a message. */
const otherWords = new Set(
  `very ever weakly meekly dairy dally monkey monkeys money match matches marsh larch mouth moth moths mouths thirst bird seek seeks weed weeds
  weak geek geeks meek peek reek wee wreck toddy holiday yours ours tours mourning warning stating staring scoring minus minuet
  quarters quartet ears tears bears pears sunny sandy sundry frilly leaving weaving seconds beckon reckon birth forth filth fit
  faith fort fifty augusta auguste augusto avril marc mid teach reach beach peach neon boon loon goon moon soon noun nook tame tile
  tide tie dime lime mime rime crime prime tim tire tome item ties times timer timed tine closed closer closes closet clone lose
  chose clothes those loose expect accept exempt excerpt friendly finally monitor untie unity unit`.split(/\s+/),
);
/** Words like that which are often written right before a day or a time. */
const commonWords = new Set(
  `mom mum mon man men son ton fun us all an a the and of in to for or is it as so no do go be by my me we he at on fix mix sit set cat hat dad
  day way pay may say bay ray our your four tour pour hair year ear near dear team test text next best list lists last lost past
  fast cast east least rest them then they than this that thus the staff boss form farm fork front fun run sun son won money
  monkey monkeys till bill will tell call mail milk help fire fish fist firm dust dues due true tune tube wet web bed red led
  soon moon expect accept birth forth item items time times closed close those your yours hours tours ours days ways weeks dairy
  july june january february march april may august september october november december`.split(/\s+/),
);

/**
 * The word about time that a word misspells, with one or two edits; null when there is none.
 * @param isBesideTime right beside other words about time, where also short words are looked at
 */
export function nearMiss(word: string, { isBesideTime = false }: { isBesideTime?: boolean } = {}): string | null {
  if (/[A-Z].*[A-Z]/.test(word) && word.length < 5)
    return abbreviations.find((one) => editsBetween(word.toUpperCase(), one) === 1) ?? null;
  const said = word.toLowerCase();
  const isName = /^[A-Z]/.test(word);
  const others = isBesideTime && !isName ? commonWords : otherWords;
  if (said.length > 12 || !/^[a-z]{2,}$/.test(said) || others.has(said)) return null;
  let nearest: { word: string; edits: number } | null = null;
  for (const one of isBesideTime && !isName ? [...longWords, ...shortWords] : longWords) {
    const most = one.length > (isBesideTime ? 5 : 6) ? 2 : one.length > (isName ? 4 : 2) ? 1 : 0;
    if (Math.abs(one.length - said.length) > most) continue;
    const edits = editsBetween(said, one);
    if (edits > 0 && edits <= most && edits < (nearest?.edits ?? 3)) nearest = { word: one, edits };
  }
  return nearest === null ? null : spelled(nearest.word);
}

/** Whether a word may be `time` after a place. */
export const mayBeTime = (word: string) => editsBetween(word.toLowerCase(), 'time') <= 2;

export const isOneEditFrom = (word: string, one: string) =>
  Math.abs(word.length - one.length) < 2 && editsBetween(word.toLowerCase(), one) === 1;

/** Whether a word may be one that stands between a zone and a day or a time. */
export const mayBeOn = (word: string) => ['on', 'at', 'in'].some((one) => editsBetween(word.toLowerCase(), one) <= 1);

const spelled = (word: string) =>
  /day|^(?:mon|tue|wed|thu|fri|sat|sun)$|^(?:jan|feb|mar|apr|jun|jul|aug|sep|oct|nov|dec)/.test(word) &&
  !/^(?:today|midday|weekdays?|days?|yesterday)$/.test(word)
    ? word.charAt(0).toUpperCase() + word.slice(1)
    : word;

/** How many letters have to be inserted, left out, changed or swapped. */
function editsBetween(one: string, other: string): number {
  let before: number[] = [];
  let last = Array.from({ length: other.length + 1 }, (_, at) => at);
  for (let at = 1; at <= one.length; at += 1) {
    const row = [at];
    for (let to = 1; to <= other.length; to += 1) {
      const isSame = one[at - 1] === other[to - 1];
      const isSwapped = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      const edits = [(last[to] ?? 0) + 1, (row[to - 1] ?? 0) + 1, (last[to - 1] ?? 0) + (isSame ? 0 : 1)];
      row.push(Math.min(...edits, ...(isSwapped ? [(before[to - 2] ?? 0) + 1] : [])));
    }
    before = last;
    last = row;
  }
  return last[other.length] ?? 0;
}
