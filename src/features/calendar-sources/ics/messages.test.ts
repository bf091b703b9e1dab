import { describe, expect, it, vi } from 'vitest';
import { calendarSourceLimits as limits } from '#contract/calendar-sources.ts';
import { longestTickMs } from '#testing/longest-tick.ts';
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
        ['UID:m', 'DTSTART:20270301T090000Z', 'RRULE:FREQ=MINUTELY;INTERVAL=5', 'SUMMARY:Minutes'],
        ['UID:x', 'DTSTART:nonsense', 'SUMMARY:Broken'],
        ['UID:g', 'DTSTART:20270401T090000Z', 'SUMMARY:Good'],
      ),
    );
    expect(messages.map(({ title }) => title)).toEqual(['Good']);
    expect(leftOut).toEqual([
      { reason: 'It repeats too often, or has for too long', count: 2, titles: ['Second', 'Minutes'] },
      expect.objectContaining({ count: 1, titles: ['Broken'] }),
    ]);
  });

  it('loses no other event by one whose rule or lines cannot be read, and says what is wrong with each', () => {
    const at = 'DTSTART:20270401T090000Z';
    const { messages, leftOut } = read(
      calendar(
        ['UID:g', at, 'SUMMARY:Good'],
        ['UID:1', at, 'RRULE:FREQ=WEEKLY;BYWEEKNO=20', 'SUMMARY:Weeks'],
        ['UID:2', at, 'RRULE:FREQ=FORTNIGHTLY', 'SUMMARY:Fortnights'],
        ['UID:3', at, 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30;COUNT=3', 'SUMMARY:Never'],
        ['UID:4', 'DTSTART;VALUE=DATE:20270401', 'RRULE:FREQ=HOURLY', 'SUMMARY:Whole days'],
        ['UID:5', at, 'this is no line', 'SUMMARY:Broken'],
        ['UID:6', 'DTSTART;VALUE=DATE:20270401', 'RRULE:FREQ=DAILY;COUNT=2;BYHOUR=9,17', 'SUMMARY:Days'],
      ),
    );
    expect(messages.map(({ title }) => title).toSorted()).toEqual(['Days', 'Days', 'Good', 'Never']);
    expect(leftOut).toEqual([
      { reason: 'Its lines cannot be read', count: 1, titles: ['Broken'] },
      {
        reason: 'Its rule is forbidden by the standard (RFC 5545): BYWEEKNO in a weekly rule',
        count: 1,
        titles: ['Weeks'],
      },
      { reason: 'Its rule has an unknown FREQ: FORTNIGHTLY', count: 1, titles: ['Fortnights'] },
      {
        reason: expect.stringMatching(/^Its start does not fit its rule/),
        count: 1,
        titles: ['Never'],
        is_scheduled: true,
      },
      { reason: 'It lasts all day, and its rule repeats within a day', count: 1, titles: ['Whole days'] },
    ]);
  });

  it('has no other event in one that is not closed, and reads what stands behind the end of a calendar', () => {
    const open = ['BEGIN:VEVENT', 'UID:o', 'DTSTART:20270401T090000Z', 'SUMMARY:Open'];
    const good = ['BEGIN:VEVENT', 'UID:g', 'DTSTART:20270402T090000Z', 'SUMMARY:Good', 'END:VEVENT'];
    const late = ['BEGIN:VEVENT', 'UID:l', 'DTSTART:20270403T090000Z', 'SUMMARY:Late', 'END:VEVENT'];
    const lines = ['BEGIN:VCALENDAR', ...open, ...good, 'END:VCALENDAR', 'X-A:1', ...late];
    const { messages, leftOut } = read(lines.join('\r\n'));
    expect(messages.map(({ title }) => title)).toEqual(['Good', 'Late']);
    expect(leftOut).toEqual([{ reason: 'Its lines cannot be read', count: 1, titles: ['Open'] }]);
  });

  it('counts the start as the first time of a rule that it does not fit, and says so', async () => {
    const event = ['UID:a', 'DTSTART:20270405T090000Z', 'RRULE:FREQ=WEEKLY;BYDAY=TU;COUNT=3', 'SUMMARY:Review'];
    const { messages, leftOut } = read(calendar(event));
    expect(messages.map(({ at }) => at.slice(0, 10))).toEqual(['2027-04-04', '2027-04-05', '2027-04-12']);
    expect(await readIcs(taskOf(calendar(event)), { workspaceId: 'a', personId: null })).toMatchObject({ leftOut });
    expect(leftOut).toEqual([
      { reason: expect.stringMatching(/leaves open/), count: 1, titles: ['Review'], is_scheduled: true },
    ]);
  });

  it('reads a day that is not marked as one', () => {
    const days = calendar([
      'UID:a',
      'DTSTART;TZID=Europe/Berlin:20270405',
      'RRULE:FREQ=DAILY;COUNT=3',
      'EXDATE:20270406',
      'SUMMARY:Ours',
    ]);
    expect(timesOf(days)).toEqual(['2027-04-04T07:00:00.000Z', '2027-04-06T07:00:00.000Z']);
  });

  it('excludes by a rule where an old file has one', () => {
    const event = [
      'UID:a',
      'DTSTART:20270405T090000Z',
      'RRULE:FREQ=DAILY;COUNT=4',
      'EXRULE:FREQ=DAILY;INTERVAL=2',
      'SUMMARY:A',
    ];
    expect(timesOf(calendar(event)).map((at) => at.slice(0, 10))).toEqual(['2027-04-05', '2027-04-07']);
  });

  it('may repeat every hour since long ago, and has the next thousand messages', () => {
    const { messages } = read(calendar(['UID:h', 'DTSTART:19700101T000000Z', 'RRULE:FREQ=HOURLY', 'SUMMARY:Hour']));
    expect(messages.filter(({ at }) => at > '2027-03-01T12:00:00.000Z').length).toBe(limits.messages);
  });

  it.each(['FREQ=SECONDLY', 'FREQ=DAILY;COUNT=1000000', 'FREQ=YEARLY;COUNT=1000000;BYWEEKNO=5;BYMONTHDAY=30'])(
    'has a budget for all of its rules together, and names the events beyond it: %s',
    (rule) => {
      const many = Array.from({ length: 500 }, (_, at) => [
        `UID:${at}`,
        'DTSTART:00010101T090000Z',
        `RRULE:${rule}`,
        `SUMMARY:${at}`,
      ]);
      const { leftOut } = read(calendar(...many));
      const tooOften = leftOut.find(({ reason }) => reason === 'It repeats too often, or has for too long');
      expect(tooOften?.count).toBeGreaterThan(300);
    },
  );

  it('reads events in a zone whose own rule never comes to an end', () => {
    const zone = [
      'BEGIN:VTIMEZONE',
      'TZID:Ours',
      'BEGIN:STANDARD',
      'DTSTART:20200101T000000',
      'TZOFFSETFROM:+0200',
      'TZOFFSETTO:+0300',
      'RRULE:FREQ=DAILY;BYMONTH=2;BYMONTHDAY=30',
      'END:STANDARD',
      'END:VTIMEZONE',
    ];
    const event = ['BEGIN:VEVENT', 'UID:a', 'DTSTART;TZID=Ours:20270401T090000', 'SUMMARY:A', 'END:VEVENT'];
    const text = ['BEGIN:VCALENDAR', ...zone, ...event, 'END:VCALENDAR'].join('\r\n');
    expect(timesOf(text, { offsets: [{ amount: 0, unit: 'minutes' }] })).toEqual(['2027-04-01T06:00:00.000Z']);
  });

  describe('in a zone with tens of thousands of listed changes', () => {
    const two = (figure: number) => String(figure).padStart(2, '0');
    const listed = Array.from({ length: 35_000 }, (_, at) => {
      const [year, month, day] = [1000 + ((at * 91) % 8_000), 1 + (at % 12), 1 + (at % 28)];
      return `RDATE:${year}${two(month)}${two(day)}T${two(at % 24)}${two(at % 60)}00`;
    });
    const zone = ['BEGIN:VTIMEZONE', 'TZID:Ours', 'BEGIN:STANDARD', 'DTSTART:19700101T000000', 'TZOFFSETFROM:+0100'];
    const events = Array.from({ length: 3_800 }, (_, at) => [
      'BEGIN:VEVENT',
      `UID:${at}`,
      `DTSTART;TZID=Ours:${1000 + at}0101T100000`,
      'END:VEVENT',
    ]);
    const lines = [...zone, 'TZOFFSETTO:+0200', ...listed, 'END:STANDARD', 'END:VTIMEZONE', ...events.flat()];
    const text = ['BEGIN:VCALENDAR', ...lines, 'END:VCALENDAR'].join('\r\n');

    it('reads events of thousands of years', async () => {
      expect(await readIcs(taskOf(text), { workspaceId: 'a', personId: null })).toMatchObject({ kind: 'read' });
    });

    it('sorts the changes without comparing objects of Temporal, of which each comparison makes two more', () => {
      const compare = vi.spyOn(Temporal.PlainDateTime, 'compare');
      try {
        read(text);
        expect(compare.mock.calls.length).toBeLessThan(10_000);
      } finally {
        compare.mockRestore();
      }
    });
  });

  it('reads an event of which thousands of times and all that follow are changed', async () => {
    const first = Temporal.PlainDateTime.from('2026-11-01T00:00');
    const textAt = (wall: Temporal.PlainDateTime) => wall.toString({ smallestUnit: 'second' }).replaceAll(/[-:]/g, '');
    const changed = Array.from({ length: 19_000 }, (_, at) => [
      'UID:same',
      `RECURRENCE-ID;RANGE=THISANDFUTURE:${textAt(first.add({ minutes: at * 31 }))}`,
      'DTSTART:20270101T000000',
    ]);
    const text = calendar(['UID:same', `DTSTART:${textAt(first)}`, 'RRULE:FREQ=HOURLY'], ...changed);
    expect(await readIcs(taskOf(text), { workspaceId: 'a', personId: null })).toMatchObject({ kind: 'read' });
  });

  it('does not hold up the process, and ends where a rule never comes to an end', async () => {
    const never = ['UID:n', 'DTSTART:20270301T090000Z', 'RRULE:FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30', 'SUMMARY:Never'];
    const many = Array.from({ length: 5_000 }, (_, at) => [
      `UID:${at}`,
      'DTSTART:20200301T090000Z',
      'RRULE:FREQ=DAILY',
      `SUMMARY:Event ${at}`,
    ]);
    const task = taskOf(calendar(...many, never));
    const longestMs = await longestTickMs(async () => {
      const result = await readIcs(task, { workspaceId: 'a', personId: null });
      expect(['read', 'refused']).toContain(result.kind);
    });
    expect(longestMs).toBeLessThan(1_000);
  }, 40_000);
});

describe('the files of one person', () => {
  it('are read one after the other, from however many workspaces, while that of another is read', async () => {
    const task = taskOf(calendar(weekly()));
    const ended: string[] = [];
    const read = (workspaceId: string, personId: string) =>
      readIcs(task, { workspaceId, personId }).then(() => ended.push(personId));
    const many = Array.from({ length: 5 }, (_, at) => read(`workspace ${at}`, 'ann'));
    await read('another', 'ben');
    expect(ended.filter((person) => person === 'ann').length).toBeLessThan(3);
    await Promise.all(many);
  });
});
