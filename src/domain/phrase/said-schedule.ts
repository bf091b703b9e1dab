import type { Piece, SaidDate, SaidEvent, Unit } from './pieces.ts';
import { withJoined, withLimits } from './joined-rhythm.ts';
import { quoted, type Remark, remarkAt, type Span } from './line.ts';
import { isFast, type Rhythm } from './rhythm.ts';
import { saidTimes, type Times } from './said-times.ts';

export type DateWords = Span & { words: string; said: SaidDate };
export type HourWindow = Span & { fromHour: number; toHour: number };

/** Everything that a line says about time, combined but not yet resolved. */
export type SaidSchedule = {
  event: (Span & SaidEvent) | null;
  rhythm: (Span & { words: string; said: Rhythm; window: HourWindow | null }) | null;
  date: DateWords | null;
  times: Times | null;
  zone: (Span & { zone: string }) | null;
  start: DateWords | null;
  end: (Span & { words: string; said: SaidDate | { kind: 'span'; amount: number; unit: Unit } }) | null;
  notes: Remark[];
  /** Parts that are impossible or contradict others. A schedule that ignored one of them would not be the one that was meant. */
  problems: Remark[];
};

type Of<K extends Piece['kind']> = Extract<Piece, { kind: K }>;

/** Combines the pieces. Each kind may be said once; several rhythms count when they make one together. */
export function saidScheduleOf(pieces: readonly Piece[]): SaidSchedule {
  const problems: Remark[] = [];
  const all = <K extends Piece['kind']>(kind: K) => pieces.filter((piece): piece is Of<K> => piece.kind === kind);
  const only = <K extends Piece['kind']>(kind: K): Of<K> | null => {
    const [first = null, ...others] = all(kind);
    problems.push(...others.map(needsItsOwn));
    return first;
  };
  const event = only('event');
  const window = only('window');
  const date = only('date');
  const start = only('start');
  const end = only('end');
  const zone = only('zone');
  const { rhythm, date: freeDate } = rhythmOf(all('rhythm'), { date, problems });
  const limited = withLimits(rhythm, { limits: [...all('except'), ...all('months')], problems });
  const times = saidTimes({ times: only('times'), part: only('part'), rhythms: all('rhythm'), date: freeDate });
  if (window !== null && (limited === null || !isFast(limited.said)))
    problems.push(remarkAt(window, 'From and to hours work only with “every 15 minutes” or “every hour”'));
  if (freeDate !== null && limited !== null)
    problems.push(
      remarkAt(freeDate, `${quoted(freeDate.words)} is beside what repeats: write “starting” or “until” before it`),
    );
  const when = [event, limited, freeDate, times].filter((one) => one !== null);
  if (when.length === 0)
    for (const bound of [start, end, zone])
      if (bound !== null) problems.push(remarkAt(bound, `${quoted(bound.words)} alone does not say when`));
  return {
    event: event && { from: event.from, to: event.to, ...event.event },
    rhythm: limited && { ...limited, window },
    date: freeDate && dateWords(freeDate),
    times,
    zone: zone && { from: zone.from, to: zone.to, zone: zone.zone },
    start: start && dateWords(start),
    end: end && { from: end.from, to: end.to, words: inWords(end), said: end.date },
    notes: [...pieces.flatMap(notesOf), ...(times?.notes ?? [])],
    problems: [
      ...pieces.flatMap(({ from, to, problem }) => (problem === undefined ? [] : [{ from, to, text: problem }])),
      ...problems,
      ...(times?.problems ?? []),
    ],
  };
}

/** Whether anything gives a time; a zone alone does not. */
export const saysWhen = ({ event, rhythm, date, times, problems }: SaidSchedule) =>
  event !== null || rhythm !== null || date !== null || times !== null || problems.length > 0;

const needsItsOwn = ({ from, to, words }: Span & { words: string }): Remark => ({
  from,
  to,
  text: `A reminder has one schedule: ${quoted(words)} needs a reminder of its own`,
});

const notesOf = ({ from, to, notes = [] }: Piece): Remark[] => notes.map((text) => ({ from, to, text }));

const dateWords = (piece: Of<'date' | 'start'>): DateWords => ({
  from: piece.from,
  to: piece.to,
  words: inWords(piece),
  said: piece.date,
});

/** The day without the word before it, and all of `for 6 weeks`. */
const inWords = ({ words }: Piece) =>
  words.replace(
    /^(?:(?:on|until|till?|through|up to|to|ending(?: on)?|ends(?: on)?|starting|beginning|begins?|starts?|commencing|effective|as of|from)\s+)+(?:the\s+)?/i,
    '',
  );

/** The one rhythm of the line, and the day if it is not part of it. */
function rhythmOf(
  [first, ...others]: readonly Of<'rhythm'>[],
  { date, problems }: { date: Of<'date'> | null; problems: Remark[] },
): { rhythm: (Span & { words: string; said: Rhythm }) | null; date: Of<'date'> | null } {
  if (first === undefined) return { rhythm: null, date };
  let rhythm = { from: first.from, to: first.to, words: first.words, said: first.rhythm };
  for (const other of others) {
    const joined = withJoined(rhythm.said, other.rhythm);
    if (joined === null) problems.push(needsItsOwn(other));
    else rhythm = { ...rhythm, to: other.to, said: joined };
  }
  const withDate = date === null ? null : withDay(rhythm.said, date.date);
  return withDate === null ? { rhythm, date } : { rhythm: { ...rhythm, said: withDate }, date: null };
}

/** "Weekly, on a Monday": two pieces that mean one rhythm; null when they do not. */
function withDay(rhythm: Rhythm, date: SaidDate): Rhythm | null {
  if (rhythm.kind === 'weekly' && date.kind === 'weekday' && !date.isNext)
    return { kind: 'weekdays', days: [date.weekday], months: null };
  if (rhythm.kind === 'monthly' && date.kind === 'end' && date.month === null)
    return { kind: 'days', days: ['last'], months: null };
  if (date.kind !== 'day' || date.weekday !== null) return null;
  if (rhythm.kind === 'monthly') return { kind: 'days', days: [date.day], months: null };
  return rhythm.kind === 'months' && rhythm.days.length === 0 ? { ...rhythm, days: [date.day] } : null;
}
