/** `YYYY-MM-DDTHH:mm:ss` of a stored date: a local time is unchanged, an instant is converted to the zone. */
export function wallTimeIn(text: string, zone: string): string {
  if (!/(Z|[+-]\d{2}:\d{2})$/.test(text)) return text.length === 16 ? `${text}:00` : text.slice(0, 19);
  const parts = new Map(
    clockOf(zone)
      .formatToParts(new Date(text))
      .map(({ type, value }) => [type, value]),
  );
  const part = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? '';
  return `${part('year')}-${part('month')}-${part('day')}T${part('hour')}:${part('minute')}:${part('second')}`;
}

/** Tomorrow at 09:00 in the browser's zone. */
export function tomorrowAtNine(now: Date): string {
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + 1);
  const two = (figure: number) => String(figure).padStart(2, '0');
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}T09:00:00`;
}

const clockOf = (timeZone: string) =>
  new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
