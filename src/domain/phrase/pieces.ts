import type { delayUnits, eventTriggers } from '#contract/schedules.ts';
import type { Found, Span } from './line.ts';
import type { Rhythm } from './rhythm.ts';

export type PartOfDay = 'morning' | 'afternoon' | 'evening' | 'night';
export type Unit = 'minutes' | 'hours' | 'days' | 'weeks' | 'months' | 'years';

export type TimeOfDay = { hour: number; minute: number };
/** With the words that were used for it. */
export type SaidTime = TimeOfDay & { said: string };

/** A day as written, not yet resolved to a date. */
export type SaidDate =
  | { kind: 'ahead'; amount: number; unit: Unit }
  | { kind: 'weekday'; weekday: number; isNext: boolean }
  /** In the week after this one. */
  | { kind: 'next week'; weekday: number }
  | { kind: 'next month'; day: number }
  | { kind: 'calendar'; day: number; month: number; year: number | null; weekday: number | null }
  | { kind: 'day'; day: number; weekday: number | null }
  | { kind: 'nth'; nth: number | 'last'; weekday: number; month: number; year: number | null }
  | { kind: 'end'; month: number | 'year' | null; year: number | null }
  /** `3 days before 31 March`; a negative amount lies before the day. */
  | { kind: 'shifted'; amount: number; unit: Unit; base: SaidDate }
  | { kind: 'doubtful'; reason: string };

export type SaidEvent = {
  eventTrigger: (typeof eventTriggers)[number];
  delayAmount: number;
  delayUnit: (typeof delayUnits)[number];
  wording: string;
};

/** What a run of words says about time, apart from all others. Months and weekdays are numbered as in ISO 8601. */
type Meaning =
  | { kind: 'event'; event: SaidEvent }
  /** `part`: `every evening` is a rhythm and a part of the day. */
  | { kind: 'rhythm'; rhythm: Rhythm; part?: PartOfDay }
  /** `but Friday`: days or months that a rhythm leaves out. */
  | { kind: 'except'; weekdays: number[]; months: number[] }
  /** `in June and July` */
  | { kind: 'months'; months: number[] }
  | { kind: 'date'; date: SaidDate }
  | { kind: 'start'; date: SaidDate }
  | { kind: 'end'; date: SaidDate | { kind: 'span'; amount: number; unit: Unit } }
  /** From one hour to another, within each day. */
  | { kind: 'window'; fromHour: number; toHour: number }
  | { kind: 'times'; times: SaidTime[] }
  | { kind: 'part'; part: PartOfDay }
  | { kind: 'zone'; zone: string }
  /** Words about time that no schedule can express. */
  | { kind: 'refused' };

/** Notes say how words were read that could be read otherwise; a problem keeps the whole schedule empty. */
export type Reading = Meaning & { notes?: string[]; problem?: string };

export const problem = (text: string): Reading => ({ kind: 'refused', problem: text });

export type Piece = Span & { words: string } & Reading;

/** What surrounds the words, for those whose meaning depends on it. */
export type Beside = {
  /** The piece that ends right before them. */
  previous: Piece | null;
  /** The text behind them. */
  after: string;
  /** The writer's zone. */
  timezone: string;
};

/** Recognises words about time. `read` returns null where they turn out not to be. */
export type Recogniser = { pattern: RegExp; read: (found: Found, beside: Beside) => Reading | null };
