import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SendingHours } from '#contract/sending-hours.ts';
import { commonWindowFrom, lastsUntil, openingAt } from '#domain/sending-hours.ts';
import { openingText, sendingHoursText } from '#domain/sending-hours-text.ts';

const office = { days: [1, 2, 3, 4, 5], from: '08:00', to: '20:00' };
const opening = (at: string, hours = office, timezone = 'Europe/Berlin') =>
  openingAt(hours, { at: Temporal.Instant.from(at), timezone })
    .toZonedDateTimeISO(timezone)
    .toString({ timeZoneName: 'never' });

describe('sending hours', () => {
  it('allow deliveries that are due within them, including the first minute and excluding the end', () => {
    expect(opening('2026-03-02T08:00:00+01:00')).toBe('2026-03-02T08:00:00+01:00');
    expect(opening('2026-03-02T19:59:59+01:00')).toBe('2026-03-02T19:59:59+01:00');
    expect(opening('2026-03-02T20:00:00+01:00')).toBe('2026-03-03T08:00:00+01:00');
    expect(opening('2026-03-02T07:59:59+01:00')).toBe('2026-03-02T08:00:00+01:00');
  });

  it('open on Monday for a delivery that is due on Friday evening', () => {
    expect(opening('2026-03-06T21:00:00+01:00')).toBe('2026-03-09T08:00:00+01:00');
  });

  it('over midnight belong to the day on which they open', () => {
    const night = { days: [5], from: '20:00', to: '06:00' };
    expect(opening('2026-03-07T05:59:00+01:00', night)).toBe('2026-03-07T05:59:00+01:00');
    expect(opening('2026-03-07T06:00:00+01:00', night)).toBe('2026-03-13T20:00:00+01:00');
    expect(opening('2026-03-06T19:00:00+01:00', night)).toBe('2026-03-06T20:00:00+01:00');
    expect(opening('2026-03-06T05:00:00+01:00', night)).toBe('2026-03-06T20:00:00+01:00');
  });

  it('follow wall-clock time across clock changes', () => {
    expect(opening('2026-03-28T21:00:00+01:00', { ...office, days: [7] })).toBe('2026-03-29T08:00:00+02:00');
    expect(opening('2026-10-25T06:00:00+01:00', { ...office, days: [7] })).toBe('2026-10-25T08:00:00+01:00');
    // 02:15 to 02:45 does not exist that night.
    const short = { days: [7], from: '02:15', to: '02:45' };
    expect(opening('2026-03-29T00:00:00+01:00', short)).toBe('2026-03-29T03:15:00+02:00');
    const swallowed = { days: [7], from: '02:15', to: '03:00' };
    expect(opening('2026-03-29T00:00:00+01:00', swallowed)).toBe('2026-04-05T02:15:00+02:00');
  });

  it('give a message a day from their opening, and the next window when that day ends outside of them', () => {
    const until = (from: string) =>
      lastsUntil([{ ...office, timezone: 'Europe/Berlin' }], Temporal.Instant.from(from))?.toString();
    expect(until('2026-03-02T22:00:00+01:00')).toBe('2026-03-04T07:00:00Z');
    expect(until('2026-03-02T10:00:00+01:00')).toBe('2026-03-03T09:00:00Z');
    expect(until('2026-03-06T19:00:00+01:00')).toBe('2026-03-09T19:00:00Z');
  });

  const time = fc
    .record({ hour: fc.integer({ min: 0, max: 23 }), minute: fc.constantFrom(0, 15, 30, 59) })
    .map(({ hour, minute }) => `${String(hour).padStart(2, '0')}:${String(minute).padStart(2, '0')}`);
  const anyHours = fc
    .record({ days: fc.uniqueArray(fc.integer({ min: 1, max: 7 }), { minLength: 1 }), from: time, to: time })
    .filter(({ from, to }) => from !== to);
  const timezone = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Pacific/Apia',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'America/Nuuk',
    'Africa/Casablanca',
  );
  const instant = fc
    .date({ min: new Date('2011-12-01'), max: new Date('2035-01-01'), noInvalidDate: true })
    .map((date) => Temporal.Instant.fromEpochMilliseconds(date.getTime()));
  const seeded = { seed: 20_261_120, numRuns: 400 };

  it('never open before a message is due, and are open at the returned time', () => {
    fc.assert(
      fc.property(anyHours, timezone, instant, (hours, zone, at) => {
        const opens = openingAt(hours, { at, timezone: zone });
        expect(Temporal.Instant.compare(opens, at)).toBeGreaterThanOrEqual(0);
        expect(openingAt(hours, { at: opens, timezone: zone }).equals(opens)).toBe(true);
      }),
      seeded,
    );
  });

  it('open at their hour on one of their days, when no clock change lies in between', () => {
    fc.assert(
      fc.property(anyHours, instant, (hours, at) => {
        const opens = openingAt(hours, { at, timezone: 'Asia/Kathmandu' });
        if (opens.equals(at)) return;
        const local = opens.toZonedDateTimeISO('Asia/Kathmandu');
        expect(local.toPlainTime().toString({ smallestUnit: 'minute' })).toBe(hours.from);
        expect(hours.days).toContain(local.dayOfWeek);
      }),
      seeded,
    );
  });

  it('skip no opening: a later call, before the opening, returns the same one', () => {
    fc.assert(
      fc.property(anyHours, timezone, instant, fc.double({ min: 0, max: 1, noNaN: true }), (hours, zone, at, part) => {
        const opens = openingAt(hours, { at, timezone: zone });
        const between = Math.floor((opens.epochMilliseconds - at.epochMilliseconds) * part);
        const later = Temporal.Instant.fromEpochMilliseconds(at.epochMilliseconds + between);
        expect(openingAt(hours, { at: later, timezone: zone }).epochMilliseconds).toBe(
          opens.equals(at) ? later.epochMilliseconds : opens.epochMilliseconds,
        );
      }),
      seeded,
    );
  });

  it('give every message at least a day, whose end or last hours lie within them', () => {
    fc.assert(
      fc.property(anyHours, timezone, instant, (hours, zone, from) => {
        const opens = openingAt(hours, { at: from, timezone: zone });
        const until = lastsUntil([{ ...hours, timezone: zone }], from) ?? from;
        expect(until.epochMilliseconds - opens.epochMilliseconds).toBeGreaterThanOrEqual(86_400_000);
        const justBefore = until.subtract({ milliseconds: 1 });
        const isOpen = openingAt(hours, { at: justBefore, timezone: zone }).equals(justBefore);
        const isWholeDay = until.epochMilliseconds - opens.epochMilliseconds === 86_400_000;
        expect(isOpen || isWholeDay).toBe(true);
      }),
      seeded,
    );
  });

  const berlin = { ...office, timezone: 'Europe/Berlin' };
  const common = (from: string, own: object) => {
    const found = commonWindowFrom([berlin, { ...berlin, ...own }], Temporal.Instant.from(from));
    return found && [found.opens.toString(), found.closes.toString()];
  };

  it('of a workspace and of a recipient are open where both are', () => {
    // 18:00 to 22:00 in Berlin, of which the workspace has two hours.
    expect(common('2026-03-02T06:00:00Z', { from: '18:00', to: '22:00' })).toEqual([
      '2026-03-02T17:00:00Z',
      '2026-03-02T19:00:00Z',
    ]);
    expect(common('2026-03-02T18:00:00Z', { from: '18:00', to: '22:00' })).toEqual([
      '2026-03-02T17:00:00Z',
      '2026-03-02T19:00:00Z',
    ]);
    // The morning of New York is the afternoon of Berlin.
    expect(common('2026-03-02T06:00:00Z', { timezone: 'America/New_York' })).toEqual([
      '2026-03-02T13:00:00Z',
      '2026-03-02T19:00:00Z',
    ]);
    expect(common('2026-03-02T06:00:00Z', { days: [5] })).toEqual(['2026-03-06T07:00:00Z', '2026-03-06T19:00:00Z']);
  });

  it('of a workspace and of a recipient never meet where no fifteen days have a common time', () => {
    expect(common('2026-03-02T06:00:00Z', { days: [6, 7] })).toBeNull();
    expect(common('2026-03-02T06:00:00Z', { from: '21:00', to: '23:00' })).toBeNull();
    expect(lastsUntil([berlin, { ...berlin, days: [7] }], Temporal.Instant.from('2026-03-02T06:00:00Z'))).toBeNull();
  });

  it('that apply together open at the first minute at which each is open', () => {
    fc.assert(
      fc.property(anyHours, anyHours, timezone, timezone, instant, (one, other, zone, elsewhere, from) => {
        const all = [
          { ...one, timezone: zone },
          { ...other, timezone: elsewhere },
        ];
        const found = commonWindowFrom(all, from);
        const isOpen = (at: Temporal.Instant) =>
          all.every((hours) => openingAt(hours, { at, timezone: hours.timezone }).equals(at));
        if (found !== null) {
          const at = Temporal.Instant.compare(found.opens, from) > 0 ? found.opens : from;
          expect(isOpen(at)).toBe(true);
          expect(isOpen(found.closes.subtract({ milliseconds: 1 }))).toBe(true);
        }
        // A quarter of an hour is enough of a step: hours and zones begin on minutes, and few on others.
        const until = found?.opens ?? from.add({ hours: 48 });
        for (let at = from; Temporal.Instant.compare(at, until) < 0; at = at.add({ minutes: 15 }))
          expect(isOpen(at)).toBe(false);
      }),
      { ...seeded, numRuns: 60 },
    );
  });
});

describe('the text for sending hours', () => {
  const hours = SendingHours.parse({
    ...office,
    enabled: true,
    zone: 'recipient',
    timezone: 'europe/berlin',
    channels: ['email', 'sms'],
  });

  it('says in one sentence what is sent and when', () => {
    expect(sendingHoursText(hours)).toBe(
      "Mail and SMS go out Mon–Fri 08:00–20:00, in the recipient's timezone where it is known, else Europe/Berlin.",
    );
    expect(
      sendingHoursText({
        ...hours,
        days: [7, 1, 2],
        from: '22:00',
        to: '06:00',
        zone: 'workspace',
        channels: ['email'],
      }),
    ).toBe('Mail goes out Mon, Tue, Sun 22:00–06:00 the next day, Europe/Berlin time.');
    expect(sendingHoursText({ ...hours, days: [1, 2, 3, 4, 5, 6, 7], channels: ['email', 'sms', 'whatsapp'] })).toMatch(
      /^Mail, SMS and WhatsApp go out every day 08:00–20:00, /,
    );
    expect(sendingHoursText({ ...hours, enabled: false })).toBe('Messages go out at any time.');
  });

  it('names an opening by its day, its time and its zone', () => {
    expect(openingText(Temporal.Instant.from('2026-03-09T08:00:00Z'), 'Europe/Berlin')).toBe('Mon 09:00 Europe/Berlin');
  });

  it.each([
    [{ days: [] }, 'Choose at least one day'],
    [{ channels: [] }, 'Choose at least one channel'],
    [{ to: '08:00' }, 'must differ from the opening'],
    [{ from: '24:00' }, 'must be a time of day such as 08:00'],
    [{ timezone: 'Mars/Base' }, 'is not a known timezone, for example Europe/Berlin'],
    [{ days: [0] }, 'must be a day from 1 to 7'],
  ])('refuse %j', (change, message) => {
    expect(SendingHours.safeParse({ ...hours, ...change }).error?.issues.map((issue) => issue.message)).toEqual([
      message,
    ]);
  });
});
