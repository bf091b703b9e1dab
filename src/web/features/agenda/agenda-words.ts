import type { AgendaEntry } from '#contract/agenda-entry.ts';
import { counted } from '#domain/in-words.ts';

/** `184 in its audience and 3 recipients`; empty where a channel has its destination by itself. */
export function addresseesText({ people, recipients }: Pick<AgendaEntry, 'people' | 'recipients'>): string {
  const parts = [
    ...(people === null ? ['its audience'] : people > 0 ? [`${people.toLocaleString('en')} in its audience`] : []),
    ...(recipients > 0 ? [counted(recipients, 'recipient')] : []),
  ];
  return parts.join(' and ');
}

/** `Today`, `Tomorrow`; null for later days. */
export function nearDayText(day: string, today: string): string | null {
  const days = (Date.parse(day) - Date.parse(today)) / 86_400_000;
  return days === 0 ? 'Today' : days === 1 ? 'Tomorrow' : null;
}

const formatIn = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC' });
  return (day: string) => format.format(new Date(day));
};

/** `Tue, 1 Dec 2026`. */
export const dayText = formatIn({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
/** `Tuesday, 1 December 2026`. */
export const longDayText = formatIn({ weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' });
/** `1 Dec`. */
export const firstDayText = formatIn({ day: 'numeric', month: 'short' });
/** `December 2026`, of a month such as 2026-12. */
export const monthText = formatIn({ month: 'long', year: 'numeric' });

export const occurrencesText = (count: number): string => counted(count, 'occurrence');
