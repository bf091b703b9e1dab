import { viewerZone } from '#web/api/viewer-zone.ts';

type InstantTextProps = {
  /** ISO 8601. */
  at: string;
  /** The IANA zone of the display; the viewer's own by default. */
  zone?: string;
  /** `moment`: date and time. `second`: with seconds. `day`: only the date. */
  show?: 'moment' | 'second' | 'day';
};

/** An instant in the given zone, as `<time>`; hovering shows it in the viewer's zone. */
export function InstantText({ at, zone = viewerZone(), show = 'moment' }: InstantTextProps) {
  return (
    <time dateTime={at} data-hint={hoverText(at)}>
      {textOf(show, { at, zone })}
    </time>
  );
}

function textOf(show: InstantTextProps['show'], { at, zone }: { at: string; zone: string }): string {
  if (show === 'day') return dayText(at, zone);
  return show === 'second' ? secondText(at, zone) : momentText(at, zone);
}

/** `24 Nov 2026, 09:00:07`, in the zone. */
export function secondText(at: string, zone: string): string {
  return formatterOf(zone, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  }).format(new Date(at));
}

/** `Tue, 24 Nov 2026, 09:00 GMT+1`, in the zone; the viewer's own zone is shown without offset. */
export function momentText(at: string, zone: string): string {
  return formatterOf(zone, {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: zone === viewerZone() ? undefined : 'short',
  }).format(new Date(at));
}

/** `24 Nov 2026`, in the zone. */
export function dayText(at: string, zone: string): string {
  return formatterOf(zone, { day: 'numeric', month: 'short', year: 'numeric' }).format(new Date(at));
}

function hoverText(at: string): string {
  return `${momentText(at, viewerZone())} your time (${viewerZone()})`;
}

const formatters = new Map<string, Intl.DateTimeFormat>();

/** Formatters are cached per zone and format, because creating one takes longer than rendering a row. */
function formatterOf(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = `${zone} ${Object.keys(options).join()} ${options.timeZoneName}`;
  const known = formatters.get(key);
  if (known !== undefined) return known;
  const made = makeFormatter(zone, options);
  formatters.set(key, made);
  return made;
}

/** British order and the 24-hour clock are unambiguous in every country; an unknown zone falls back to UTC. */
function makeFormatter(zone: string, options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  try {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: zone });
  } catch {
    return new Intl.DateTimeFormat('en-GB', { ...options, timeZone: 'UTC', timeZoneName: 'short' });
  }
}
