import { describe, expect, it } from 'vitest';
import { calendarSourceLimits as limits } from '#contract/calendar-sources.ts';
import { readIcs } from './ics-thread.ts';
import { type IcsTask, messagesIn } from './messages.ts';

const dayBefore = [{ amount: 1, unit: 'days' }] as const;

const calendar = (...events: string[][]) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    ...events.flatMap((lines) => ['BEGIN:VEVENT', ...lines, 'END:VEVENT']),
    'END:VCALENDAR',
  ].join('\r\n');

const taskOf = (text: string, more: Partial<IcsTask> = {}): IcsTask => ({
  text,
  timezone: 'Europe/Berlin',
  allDayTime: '09:00',
  offsets: dayBefore,
  now: '2027-03-01T12:00:00Z',
  ...more,
});

function read(text: string, more?: Partial<IcsTask>) {
  const result = messagesIn(taskOf(text, more));
  if (result.kind === 'refused') throw new Error(result.reason);
  return result;
}
const timesOf = (text: string, more?: Partial<IcsTask>) => read(text, more).messages.map(({ at }) => at);
const refusalOf = (text: string) => {
  const result = messagesIn(taskOf(text));
  return result.kind === 'refused' ? result.reason : null;
};

const weekly = (...more: string[]) => [
  'UID:weekly',
  'DTSTART;TZID=Europe/Berlin:20270315T090000',
  'RRULE:FREQ=WEEKLY;COUNT=4',
  'SUMMARY:Stand-up',
  ...more,
];

describe('the messages of a calendar', () => {
  it('keep the hour of the event on both sides of a clock change, and of days before it', () => {
    // Summer time begins on 28 March.
    expect(timesOf(calendar(weekly()))).toEqual([
      '2027-03-14T08:00:00.000Z',
      '2027-03-21T08:00:00.000Z',
      '2027-03-28T07:00:00.000Z',
      '2027-04-04T07:00:00.000Z',
    ]);
  });

  it('elapse by the hour where the time before is hours: the hour that a clock change skips counts none', () => {
    const event = ['UID:a', 'DTSTART;TZID=Europe/Berlin:20270328T090000', 'SUMMARY:A'];
    expect(timesOf(calendar(event), { offsets: [{ amount: 24, unit: 'hours' }] })).toEqual([
      '2027-03-27T07:00:00.000Z',
    ]);
    expect(timesOf(calendar(event))).toEqual(['2027-03-27T08:00:00.000Z']);
  });

  it('begin all-day events at the chosen time, and floating ones in the chosen zone', () => {
    const text = calendar(
      ['UID:day', 'DTSTART;VALUE=DATE:20270410', 'SUMMARY:Rent'],
      ['UID:floating', 'DTSTART:20270411T180000', 'SUMMARY:Choir'],
    );
    const { messages } = read(text, { allDayTime: '07:30', timezone: 'America/New_York' });
    expect(messages.map(({ at, data }) => [at, data['event.start'], data['event.time']])).toEqual([
      ['2027-04-09T11:30:00.000Z', 'Saturday 10 April 2027', 'all day'],
      ['2027-04-10T22:00:00.000Z', 'Sunday 11 April 2027 at 18:00', '18:00'],
    ]);
  });

  it('use a zone that only the file defines, with its clock change', () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Our office',
      'BEGIN:STANDARD',
      'DTSTART:20001029T030000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0100',
      'RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU',
      'END:STANDARD',
      'BEGIN:DAYLIGHT',
      'DTSTART:20000326T020000',
      'TZOFFSETFROM:+0100',
      'TZOFFSETTO:+0200',
      'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU',
      'END:DAYLIGHT',
      'END:VTIMEZONE',
    ].join('\r\n');
    const text = calendar(weekly())
      .replaceAll('TZID=Europe/Berlin', 'TZID=Our office')
      .replace('BEGIN:VEVENT', `${zone}\r\nBEGIN:VEVENT`);
    expect(timesOf(text)).toEqual(timesOf(calendar(weekly())));
  });

  it('leave out excluded times, add others, and follow what was changed or cancelled alone', () => {
    const text = calendar(
      weekly('EXDATE;TZID=Europe/Berlin:20270322T090000', 'RDATE;TZID=Europe/Berlin:20270316T090000'),
      ['UID:weekly', 'RECURRENCE-ID;TZID=Europe/Berlin:20270329T090000', 'DTSTART:20270330T120000Z', 'SUMMARY:Later'],
      ['UID:weekly', 'RECURRENCE-ID:20270405T070000Z', 'DTSTART:20270405T070000Z', 'STATUS:CANCELLED', 'SUMMARY:Gone'],
    );
    const { messages, leftOut } = read(text);
    expect(messages.map(({ at, title }) => `${at} ${title}`)).toEqual([
      '2027-03-14T08:00:00.000Z Stand-up',
      '2027-03-15T08:00:00.000Z Stand-up',
      '2027-03-29T12:00:00.000Z Later',
    ]);
    expect(leftOut).toEqual([{ reason: 'It is cancelled', count: 1, titles: ['Gone'] }]);
  });

  it('follow a change of this and all following times', () => {
    const text = calendar(weekly(), [
      'UID:weekly',
      'RECURRENCE-ID;RANGE=THISANDFUTURE;TZID=Europe/Berlin:20270329T090000',
      'DTSTART;TZID=Europe/Berlin:20270329T110000',
      'SUMMARY:Later',
    ]);
    expect(read(text).messages.map(({ at, title }) => `${at} ${title}`)).toEqual([
      '2027-03-14T08:00:00.000Z Stand-up',
      '2027-03-21T08:00:00.000Z Stand-up',
      '2027-03-28T09:00:00.000Z Later',
      '2027-04-04T09:00:00.000Z Later',
    ]);
  });

  it('end with the end of a rule, as an instant or as a whole day', () => {
    const until = (end: string) => timesOf(calendar(weekly().map((line) => line.replace('COUNT=4', `UNTIL=${end}`))));
    expect(until('20270329T070000Z')).toHaveLength(3);
    expect(until('20270329T065959Z')).toHaveLength(2);
    expect(until('20270329')).toHaveLength(3);
  });

  it('keep their keys when the calendar is read again, and when an event moves to another hour', () => {
    const keys = (text: string) => read(text).messages.map(({ key }) => key);
    const moved = calendar(weekly()).replace('T090000', 'T100000');
    expect(new Set(keys(calendar(weekly()))).size).toBe(4);
    expect(keys(calendar(weekly()))).toEqual(keys(calendar(weekly())));
    expect(keys(moved)).toEqual(keys(calendar(weekly())));
    expect(read(moved).messages[0]?.hash).not.toBe(read(calendar(weekly())).messages[0]?.hash);
  });

  it('reach 400 days ahead and are at most a thousand, and say what is beyond', () => {
    const daily = ['UID:d', 'DTSTART:20200101T090000Z', 'RRULE:FREQ=DAILY', 'SUMMARY:Every day'];
    const offsets = [...dayBefore, { amount: 1, unit: 'hours' }, { amount: 0, unit: 'hours' }] as const;
    const { messages, leftOut } = read(calendar(daily), { offsets });
    expect(messages.filter(({ at }) => at > '2027-03-01T12:00:00Z')).toHaveLength(limits.messages);
    expect(leftOut.map(({ reason }) => reason)).toContain(
      'A calendar has at most 1,000 planned messages; later ones follow',
    );
    const far = ['UID:f', 'DTSTART:20290101T090000Z', 'SUMMARY:Far away'];
    const over = ['UID:o', 'DTSTART:20270101T090000Z', 'SUMMARY:New Year'];
    expect(read(calendar(far, over)).leftOut).toEqual([
      { reason: 'It is more than 400 days ahead', count: 1, titles: ['Far away'] },
      { reason: 'It is over', count: 1, titles: ['New Year'] },
    ]);
    expect(Date.parse(timesOf(calendar(daily)).at(-1) ?? '')).toBeLessThanOrEqual(Date.parse('2028-04-04T12:00:00Z'));
  });

  it('make one line of a title, without control characters and at most 200 long', () => {
    const [message] = read(
      calendar(['UID:t', 'DTSTART:20270401T090000Z', `SUMMARY:A\\nB\u0007${'c'.repeat(500)}`]),
    ).messages;
    expect(message?.title).toBe(`A B ${'c'.repeat(196)}`);
  });
});

describe('a hostile calendar', () => {
  it('is refused where it is none, too long, too deep or too much', () => {
    expect(refusalOf('<html>')).toBe('This is not a calendar (an iCalendar file).');
    expect(refusalOf('BEGIN:VCALENDAR\r\nnonsense\r\nEND:VCALENDAR')).toMatch(/^The calendar cannot be read/);
    expect(refusalOf(`BEGIN:VCALENDAR\r\n${'BEGIN:VEVENT\r\n'.repeat(5)}`)).toBe('The calendar is nested too deeply.');
    expect(refusalOf(`BEGIN:VCALENDAR\r\n${'BEGIN:VEVENT\r\nEND:VEVENT\r\n'.repeat(100_000)}`)).toBe(
      'The calendar has more than 20,000 events.',
    );
    expect(refusalOf(`BEGIN:VCALENDAR\r\nX-A:${'a'.repeat(1_000_000)}`)).toBe(
      'The calendar has a line that is too long.',
    );
    expect(refusalOf(`BEGIN:VCALENDAR\r\nX-A:${'\r\n a'.repeat(190_000)}`)).toMatch(/too long|more than/);
    expect(refusalOf(`BEGIN:VCALENDAR\r\n${'X-A:a\r\n'.repeat(250_000)}`)).toBe(
      'The calendar has more than 200,000 lines.',
    );
  });

  it('has no message of an event that repeats every second, and the others all the same', () => {
    const { messages, leftOut } = read(
      calendar(
        ['UID:s', 'DTSTART:20270301T090000Z', 'RRULE:FREQ=SECONDLY', 'SUMMARY:Second'],
        ['UID:h', 'DTSTART:19700101T000000Z', 'RRULE:FREQ=HOURLY', 'SUMMARY:Hour'],
        ['UID:x', 'DTSTART:nonsense', 'SUMMARY:Broken'],
        ['UID:g', 'DTSTART:20270401T090000Z', 'SUMMARY:Good'],
      ),
    );
    expect(messages.map(({ title }) => title)).toEqual(['Good']);
    expect(leftOut).toEqual([
      { reason: 'It repeats too often, or has for too long', count: 2, titles: ['Second', 'Hour'] },
      expect.objectContaining({ count: 1, titles: ['Broken'] }),
    ]);
  });

  it('does not hold up the process, and ends where a rule never comes to an end', async () => {
    const never = ['UID:n', 'DTSTART:20270301T090000Z', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'SUMMARY:Never'];
    let longestMs = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      longestMs = Math.max(longestMs, performance.now() - last);
      last = performance.now();
    }, 5);
    const many = Array.from({ length: 5_000 }, (_, at) => [
      `UID:${at}`,
      'DTSTART:20200301T090000Z',
      'RRULE:FREQ=DAILY',
      `SUMMARY:Event ${at}`,
    ]);
    const result = await readIcs(taskOf(calendar(...many, never)), { workspaceId: 'a' });
    clearInterval(timer);
    expect(['read', 'refused']).toContain(result.kind);
    expect(longestMs).toBeLessThan(1_000);
  }, 40_000);
});
