import type { Span } from './line.ts';

/** How something repeats. ISO weekdays; no `months` means every month. */
export type Rhythm =
  | { kind: 'minutes' | 'hours'; every: number; weekdays: number[] | null }
  | { kind: 'daily' }
  | { kind: 'weekly' }
  | { kind: 'weekdays'; days: number[] }
  | { kind: 'monthly' }
  | { kind: 'days'; days: (number | 'last')[]; months: number[] | null }
  | { kind: 'nth'; nth: number | 'last'; weekday: number; months: number[] | null }
  | { kind: 'months'; every: number; days: (number | 'last')[] };

export type SaidRhythm = { rhythm: Rhythm; hour: number | null; note: string | null } | { problem: string };

/** From one hour to another, within each day. */
export type HourWindow = Span & { fromHour: number; toHour: number };
