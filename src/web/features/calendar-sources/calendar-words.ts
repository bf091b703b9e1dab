import type { CalendarOffset } from '#contract/calendar-sources.ts';

/** "1 day before, at the start". */
export function offsetsInWords(offsets: readonly CalendarOffset[]): string {
  const text = offsets.map(offsetInWords).join(', ');
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const offsetInWords = ({ amount, unit }: CalendarOffset): string =>
  amount === 0 ? 'at the start' : `${amount} ${amount === 1 ? unit.slice(0, -1) : unit} before`;
