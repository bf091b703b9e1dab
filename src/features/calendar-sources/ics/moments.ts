import ICAL from 'ical.js';
import type { DefinedZone } from './defined-zone.ts';

/** A zone with an IANA name, or one that the file defines. */
type Zone = { kind: 'named'; id: string } | { kind: 'defined'; zone: DefinedZone };

/** A time in the file: what a clock shows, and in which zone. */
export type Moment = { wall: Temporal.PlainDateTime; zone: Zone; isAllDay: boolean };

/** What the file leaves open, the zone of times without one and when an all-day event begins, and the zones that it defines. */
export type Reading = { timezone: string; allDayTime: string; zones: ReadonlyMap<string, DefinedZone> };

/** The moments of a property such as DTSTART, EXDATE or RDATE, of which the last two may have several. */
export function momentsOf(property: ICAL.Property, reading: Reading): Moment[] {
  return property.getValues().flatMap((value: unknown) => {
    const time = value instanceof ICAL.Period ? value.start : value;
    return time instanceof ICAL.Time ? [momentOf(time, { property, reading })] : [];
  });
}

/** A zone that the file names by its IANA name has that zone's rules, whatever the file says of it (RFC 7808, section 4.1). */
function momentOf(time: ICAL.Time, { property, reading }: { property: ICAL.Property; reading: Reading }): Moment {
  const local: Zone = { kind: 'named', id: reading.timezone };
  if (time.isDate) return { wall: atTime(Temporal.PlainDate.from(dateOf(time)), reading), zone: local, isAllDay: true };
  const wall = wallOf(time);
  if (time.zone === ICAL.Timezone.utcTimezone) return { wall, zone: { kind: 'named', id: 'UTC' }, isAllDay: false };
  const tzid = property.getFirstParameter('tzid');
  const named = typeof tzid === 'string' ? zoneNamed(tzid) : null;
  if (named !== null) return { wall, zone: { kind: 'named', id: named }, isAllDay: false };
  const defined = typeof tzid === 'string' ? reading.zones.get(tzid) : undefined;
  return { wall, zone: defined === undefined ? local : { kind: 'defined', zone: defined }, isAllDay: false };
}

const atTime = (date: Temporal.PlainDate, { allDayTime }: Reading) =>
  date.toPlainDateTime(Temporal.PlainTime.from(allDayTime));

const dateOf = ({ year, month, day }: ICAL.Time) => ({ year, month, day });

/** A leap second counts as the second before it. */
const wallOf = ({ year, month, day, hour, minute, second }: ICAL.Time) =>
  Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });

/** Converts to an instant. A time that a clock change skips is the one after the change; of two it is the first. */
export function instantOf({ wall, zone }: Moment): Temporal.Instant {
  if (zone.kind === 'named') return wall.toZonedDateTime(zone.id).toInstant();
  return wall
    .toZonedDateTime('UTC')
    .toInstant()
    .subtract({ seconds: zone.zone.offsetAt(wall) });
}

const zones = new Map<string, string | null>();

function zoneNamed(tzid: string): string | null {
  let found = zones.get(tzid);
  if (found === undefined) zones.set(tzid, (found = lookUp(tzid)));
  return found;
}

function lookUp(tzid: string): string | null {
  if (!/^[A-Za-z][\w+\-/]{0,63}$/.test(tzid)) return null;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(tzid).timeZoneId;
  } catch {
    return null;
  }
}
