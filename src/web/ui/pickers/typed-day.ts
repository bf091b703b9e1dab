const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];

/**
 * The day, `YYYY-MM-DD`, that somebody typed as `2026-11-28`, `28 Nov 2026`, `28 November 2026` or `28.11.2026`; null for anything else, also `11/28/2026`,
 * of which nobody knows whether the month comes first.
 */
export function typedDay(text: string): string | null {
  const typed = text.trim();
  const iso = /^(\d{4})-(\d{2})-(\d{2})$/.exec(typed);
  if (iso) return dayOf(iso[1], iso[2], iso[3]);
  const german = /^(\d{1,2})\.(\d{1,2})\.(\d{4})$/.exec(typed);
  if (german) return dayOf(german[3], german[2], german[1]);
  const words = /^(\d{1,2})\.? ([a-z]{3,9})\.?,? (\d{4})$/i.exec(typed);
  if (!words) return null;
  const name = words[2]?.toLowerCase() ?? '';
  const month = monthNames.indexOf(name.slice(0, 3)) + 1;
  return fullNames[month - 1]?.startsWith(name) ? dayOf(words[3], month, words[1]) : null;
}

type Bounds = { min?: string | undefined; max?: string | undefined };

/** Why what was typed is not taken as a day, and how to write one; null where it is, or nothing was typed. */
export function untakenText(text: string, { min, max }: Bounds): string | null {
  const typed = text.trim();
  if (typed === '') return null;
  const said = `“${typed.slice(0, 40)}” was not taken:`;
  const day = typedDay(typed);
  if (day === null) return `${said} write a day as 28 Nov 2026 or 2026-11-28`;
  if (min !== undefined && day < min) return `${said} the first day is ${shownDay(min)}`;
  return max !== undefined && day > max ? `${said} the last day is ${shownDay(max)}` : null;
}

/** `28 Nov 2026` */
const shownDay = (day: string) =>
  new Date(day).toLocaleDateString('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });

const fullNames = Array.from({ length: 12 }, (_, at) =>
  new Date(Date.UTC(2026, at, 1)).toLocaleDateString('en', { month: 'long', timeZone: 'UTC' }).toLowerCase(),
);

/** Null for a day that the calendar does not have. */
function dayOf(...parts: (string | number | undefined)[]): string | null {
  const [year = 0, month = 0, day = 0] = parts.map(Number);
  const date = new Date(Date.UTC(year, month - 1, day));
  const exists = date.getUTCMonth() === month - 1 && date.getUTCDate() === day && year >= 1970;
  return exists ? date.toISOString().slice(0, 10) : null;
}
