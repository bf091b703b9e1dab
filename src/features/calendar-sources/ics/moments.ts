import ICAL from 'ical.js';

/** A zone with an IANA name, or one that the file defines. */
type Zone = { kind: 'named'; id: string } | { kind: 'defined'; zone: ICAL.Timezone };

/** A time in the file: what a clock shows, and in which zone. */
export type Moment = { wall: Temporal.PlainDateTime; zone: Zone; isAllDay: boolean };

/** What the file leaves open: the zone of times without one, and when an all-day event begins. */
export type Reading = { timezone: string; allDayTime: string };

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
  const isDefined = time.zone instanceof ICAL.Timezone && time.zone !== ICAL.Timezone.localTimezone;
  return { wall, zone: isDefined ? { kind: 'defined', zone: time.zone } : local, isAllDay: false };
}

const atTime = (date: Temporal.PlainDate, { allDayTime }: Reading) =>
  date.toPlainDateTime(Temporal.PlainTime.from(allDayTime));

const dateOf = ({ year, month, day }: ICAL.Time) => ({ year, month, day });

/** A leap second counts as the second before it. */
export const wallOf = ({ year, month, day, hour, minute, second }: ICAL.Time) =>
  Temporal.PlainDateTime.from({ year, month, day, hour, minute, second });

/** The same time of day on another date; for an all-day event the time at which it begins. */
export const movedTo = (time: ICAL.Time, { like, reading }: { like: Moment; reading: Reading }): Moment => ({
  ...like,
  wall: like.isAllDay ? atTime(Temporal.PlainDate.from(dateOf(time)), reading) : wallOf(time),
});

/** Converts to an instant. A time that a clock change skips is the one after the change; of two it is the first. */
export function instantOf({ wall, zone }: Moment): Temporal.Instant {
  if (zone.kind === 'named') return wall.toZonedDateTime(zone.id).toInstant();
  const { year, month, day, hour, minute, second } = wall;
  const offset = zone.zone.utcOffset(new ICAL.Time({ year, month, day, hour, minute, second }, zone.zone));
  return Temporal.Instant.fromEpochMilliseconds(
    wall.toZonedDateTime('UTC').toInstant().epochMilliseconds - offset * 1_000,
  );
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
