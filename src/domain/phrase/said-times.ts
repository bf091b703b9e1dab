import { quoted, type Remark, remarkAt, type Span } from './line.ts';
import type { PartOfDay, Piece, SaidTime, TimeOfDay } from './pieces.ts';
import { inOrder, timeInWords } from './times.ts';

/** Times of day, ascending. */
export type Times = Span & { words: string; times: TimeOfDay[]; notes: Remark[]; problems: Remark[] };

type Of<K extends Piece['kind']> = Extract<Piece, { kind: K }>;

const partHours: Record<PartOfDay, number> = { morning: 9, afternoon: 14, evening: 18, night: 21 };

/** The times of day: `at 8` beside `in the evening` is 20:00, and a part of the day alone is an hour of its own. */
export function saidTimes({
  times,
  part,
  rhythms,
  date,
}: {
  times: Of<'times'> | null;
  part: Of<'part'> | null;
  rhythms: readonly Of<'rhythm'>[];
  date: Of<'date'> | null;
}): Times | null {
  const tonight = date !== null && /tonight$/i.test(date.words) ? date : null;
  const ofRhythm = rhythms.find((rhythm) => rhythm.part !== undefined);
  const parts: PartOfDay[] = [part?.part, ofRhythm?.part, tonight === null ? undefined : ('night' as const)].flatMap(
    (one) => one ?? [],
  );
  const [first] = parts;
  if (times !== null) return spokenTimes(times, parts);
  if (part !== null && parts.length === 1) return atHour(part, partHours[part.part]);
  if (tonight !== null && parts.length === 1) return atHour(tonight, 20);
  if (part !== null && parts.length > 1)
    return { ...spanOf(part), times: [], notes: [], problems: [remarkAt(part, twoParts(part))] };
  if (ofRhythm === undefined || first === undefined) return null;
  const time = { hour: partHours[first], minute: 0 };
  const note = `No time was given: ${timeInWords(time)} is assumed`;
  return { ...spanOf(ofRhythm), times: [time], notes: [remarkAt(ofRhythm, note)], problems: [] };
}

const twoParts = ({ words }: { words: string }) =>
  `A reminder has one schedule: ${quoted(words)} needs a reminder of its own`;

function atHour(piece: Piece, hour: number): Times {
  const time = { hour, minute: 0 };
  const words = /tonight$/i.test(piece.words) ? 'tonight' : piece.words;
  const note = remarkAt(piece, `${quoted(words)} is read as ${timeInWords(time)}`);
  return { ...spanOf(piece), times: [time], notes: [note], problems: [] };
}

function spokenTimes(piece: Of<'times'>, parts: readonly PartOfDay[]): Times {
  const isLate = parts.some((part) => part !== 'morning');
  const notes: Remark[] = [];
  const times = piece.times.map((said) => {
    const isBare = saysNoHalf.test(said.said) && said.hour <= 12 && !isNamed(said) && !isHalfSaid(said);
    if (isBare && parts.length === 0) notes.push(remarkAt(piece, bareNote(said)));
    return isLate && said.hour < 12 && !isHalfSaid(said) ? { ...said, hour: said.hour + 12 } : said;
  });
  const isWrong = times.some(({ hour }) => parts.some((part) => hour < hoursOf[part][0] || hour > hoursOf[part][1]));
  const problems = isWrong ? [remarkAt(piece, `${quoted(piece.words)} is not in the ${parts.join(' or ')}`)] : [];
  return { ...spanOf(piece), times: inOrder(times.map(({ hour, minute }) => ({ hour, minute }))), notes, problems };
}

/** The first and the last hour that people mean by each part of the day; `at 2 at night` could be any. */
const hoursOf: Record<PartOfDay, [number, number]> = {
  morning: [0, 11],
  afternoon: [12, 18],
  evening: [16, 23],
  night: [18, 23],
};

const bareNote = ({ said, hour, minute }: SaidTime) =>
  `${quoted(said)} is read as ${timeInWords({ hour, minute })}; write ${said} pm for the other half of the day`;

/** `5`, `five`, `quarter to five`, `5:30`: not `05:30` nor `10:30`, as a clock of 24 hours shows them. */
const saysNoHalf = /^(?:\d{1,2}|\d[:.]\d{2}|[a-z][a-z\s-]*(?:\s\d{1,2})?)$/i;

const isNamed = ({ said }: SaidTime) => /^(?:noon|midday|midnight)$/i.test(said);

const isHalfSaid = (time: SaidTime) =>
  /(?<![a-z])[ap]\.?m(?![a-z])|\d[ap]\.?m/i.test(time.said) || /^\d{4}/.test(time.said) || isNamed(time);

const spanOf = ({ from, to, words }: Span & { words: string }) => ({ from, to, words });
