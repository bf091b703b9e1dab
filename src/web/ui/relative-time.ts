const inWords = new Intl.RelativeTimeFormat('en', { numeric: 'auto' });

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

/** `in 5 minutes`, `3 hours ago`, `tomorrow`, `in 12 days`; days are calendar days of the viewer. */
export function relativeText(at: string, now: Date): string {
  const instant = new Date(at);
  const distanceMs = instant.getTime() - now.getTime();
  const size = Math.abs(distanceMs);
  if (size < minuteMs) return distanceMs > 0 ? 'in a moment' : 'just now';
  if (size < 59.5 * minuteMs) return inWords.format(Math.round(distanceMs / minuteMs), 'minute');
  const days = daysBetween(now, instant);
  if (size < 12 * hourMs || days === 0) return inWords.format(Math.round(distanceMs / hourMs), 'hour');
  if (Math.abs(days) < 45) return inWords.format(days, 'day');
  if (Math.abs(days) < 365) return inWords.format(Math.round(days / 30.44), 'month');
  return inWords.format(Math.round(days / 365.25), 'year');
}

/** For how long the text of this instant can stay: 30 s at most, and less if the instant passes before. */
export function keepsForMs(at: string, now: Date): number {
  const distanceMs = Date.parse(at) - now.getTime();
  return distanceMs > 0 ? Math.min(distanceMs, minuteMs / 2) : minuteMs / 2;
}

function daysBetween(from: Date, to: Date): number {
  const dayOf = (moment: Date) => Date.UTC(moment.getFullYear(), moment.getMonth(), moment.getDate());
  return Math.round((dayOf(to) - dayOf(from)) / (24 * hourMs));
}
