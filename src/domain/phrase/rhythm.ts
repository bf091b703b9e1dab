export type NthWeekday = { nth: number | 'last'; weekday: number };

/** How something repeats. ISO weekdays; no `weekdays` or `months` means all of them. */
export type Rhythm =
  | { kind: 'minutes' | 'hours'; every: number; weekdays: number[] | null; months: number[] | null }
  | { kind: 'daily'; months: number[] | null }
  | { kind: 'weekly' }
  | { kind: 'weekdays'; days: number[]; months: number[] | null }
  | { kind: 'monthly' }
  | { kind: 'days'; days: (number | 'last')[]; months: number[] | null }
  | { kind: 'nth'; days: NthWeekday[]; months: number[] | null }
  | { kind: 'months'; every: number; days: (number | 'last')[] };

export const isFast = (rhythm: Rhythm): rhythm is Extract<Rhythm, { kind: 'minutes' | 'hours' }> =>
  rhythm.kind === 'minutes' || rhythm.kind === 'hours';
