import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ScheduleConfig } from '#contract/schedules.ts';
import { type Person, understand } from '#domain/phrase.ts';
import { firstOccurrence } from '#domain/schedule.ts';
import { sample } from '#testing/sample.ts';

/** A Friday. */
const now = Temporal.Instant.from('2026-11-20T12:05:14Z');
const at = { now, timezone: 'Europe/London' };
const textOf = (says: string, span: { from: number; to: number }) => says.slice(span.from, span.to);

describe('an ambiguous phrase', () => {
  it.each([
    ['every day at 9 email ann@example.com', '“9” is read as 09:00; write 9 pm for the other half of the day'],
    ['every day at 5:30 email ann@example.com', '“5:30” is read as 05:30; write 5:30 pm for the other half of the day'],
    ['every day email ann@example.com', 'No time was given: 09:00 is assumed'],
    ['every week at 9am email ann@example.com', 'No weekday was given: Saturday is assumed'],
    ['every month at 9am email ann@example.com', 'No day was given: the 1st is assumed'],
    ['email ann@example.com at 5pm', 'No day was given: Friday, 20 November 2026 is assumed'],
    [
      'next Saturday at 9am email ann@example.com',
      '“next Saturday” is read as Saturday, 21 November 2026, the first one to come',
    ],
    [
      'every second Tuesday at 9am email ann@example.com',
      '“every second Tuesday” is read as the second Tuesday of each month, not as every two weeks',
    ],
    ['at midnight on 31 December email ann@example.com', '“midnight” is read as 00:00, at which the day begins'],
    ['every 31st at 9am email ann@example.com', 'In shorter months it is sent on the last day'],
    ['every 1st and 31st at 9am email ann@example.com', 'Months without such a day are skipped'],
    ['every 29 February at 9am email ann@example.com', '29 February comes in leap years only'],
    ['tomorrow at 9am CET email ann@example.com', '“CET” is read as the time of Europe/Berlin, summer and winter'],
    [
      '3 days before 31 March at 9am email ann@example.com',
      '“3 days before 31 March” is read as Sunday, 28 March 2027',
    ],
    ['Friday EOD email ann@example.com', '“EOD” is read as 17:00'],
    ['Mon/Wed/Fri 8am email ann@example.com', '“Mon/Wed/Fri” is read as these days of every week'],
    ['tomorrow at 9am remind +49 171 1234567', 'No channel was named: SMS is assumed for +49 171 1234567'],
    ['notify the team at 17:00 tomorrow', '“notify” is read as web push: name another channel to use that'],
    ['Pay the rent tomorrow at 9am', '“Pay the rent” is read as the message'],
    [
      'end of the month at 5pm email ann@example.com',
      '“end of the month” is read as Monday, 30 November 2026; write “of each month” for all',
    ],
    ...['quarter to five', 'quarter past two', 'half past four', 'nine thirty', 'ten to five'].map((said, at) => [
      `every day at ${said} email ann@example.com`,
      `“${said}” is read as ${['04:45', '02:15', '04:30', '09:30', '04:50'][at]}; write ${said} pm for the other half of the day`,
    ]),
    ['weeknights at 7pm email ann@example.com', '“weeknights” is read as Monday to Friday'],
    ['MWF at 7pm email ann@example.com', '“MWF” is read as Monday, Wednesday and Friday'],
    [
      'every Monday at 9am pst email ann@example.com',
      '“pst” is read as the time of America/Los_Angeles, summer and winter',
    ],
  ])('is explained: “%s”', (says, note) => {
    const { notes, schedule } = understand(says, at);
    expect(notes.map(({ text }) => text)).toEqual([note]);
    expect(schedule).not.toBeNull();
  });
});

describe('an impossible schedule', () => {
  it.each([
    ['on 3/4 at 9am', '“3/4” can be 3 April or 4 March: write the month as a word'],
    ['every Monday at 9am CST', '“CST” can be Chicago, Shanghai or Havana: write the city, such as “Berlin time”'],
    ['every Monday at 9am UTC+2', '“UTC+2” has no summer time: name a place, such as “Berlin time”'],
    [
      'every Monday at 9am in their local time',
      'A reminder has one timezone for all of its recipients: name it, such as “Berlin time”',
    ],
    [
      'one day before trial ends',
      '“one day before trial ends” is not possible: an event is not known before it happens. Report it earlier, or name a date',
    ],
    [
      'when it rains',
      'Cuebird has no event “when it rains”: choose the event “Custom webhook” and have your system call it',
    ],
    ['2 months after sign-up', '“2 months after sign-up”: a delay is given in minutes, hours, days or weeks'],
    ['every year at 9am', 'A yearly reminder needs a date: write “every year on 1 March”'],
    [
      'every 2 weeks on Monday at 9am',
      '“every 2 weeks on Monday” cannot be a schedule: choose every week, or two days of the month such as “every 1st and 15th”',
    ],
    [
      'every other day at 9am',
      'Every other day cannot be a schedule: name the weekdays, such as “Mondays, Wednesdays and Fridays”',
    ],
    [
      'every 3 days at 9am',
      '“every 3 days” cannot be a schedule: name weekdays, or days of the month such as “every 1st and 15th”',
    ],
    ['every 7 minutes', '“every 7 minutes” does not divide an hour evenly: use every 5, 10, 12, 15, 20 or 30 minutes'],
    ['every 5 hours', '“every 5 hours” does not divide a day evenly: use every 2, 3, 4, 6, 8 or 12 hours'],
    ['every 5 months at 9am', '“every 5 months” does not divide a year evenly: use every 2, 3, 4 or 6 months'],
    [
      'every day at 9am and 17:30',
      'These times do not fit into one schedule: write a reminder for each, or times with the same minute',
    ],
    ['twice a day', '“twice a day” does not say when: name the times, such as “every day at 9 and 17”, or the days'],
    ['every Monday at 9am 10 times', '“10 times” cannot be counted: write an end date, such as “until 31 May”'],
    ['every day at 9am until yesterday', '“until yesterday” may give a time, but is not understood: use other words'],
    ['on Monday 3 March 2027 at 9am', 'Wednesday, 3 March 2027 is not a Monday: write one of both'],
    ['in March at 9am', '“in March” needs a day, such as “every Monday in March” or “on 1 March”'],
    ['on the 2nd Friday at 9am', '“on the 2nd Friday” needs its month: write “of each month”, or “in March”'],
    ['every weekday but Sunday at 9am', '“but Sunday” does not go together with “every weekday”'],
    ['tomorrow at 9am until 31 May', 'It is sent once: leave out the start or the end, or write “every”'],
    ['tomorrow at 9am and 5pm', 'It is sent once: write one time'],
    ['every day at 9pm in the morning', '“at 9pm” is not in the morning'],
    ['when a payment fails at 9am', 'The event decides when it is sent: leave out “at 9am”'],
    ['by Friday at 9am', '“by Friday” does not say when exactly: write “at” a time, or “on” a day'],
    ['now', '“now” is not a schedule: write “in 1 minute”'],
    ['every Monday at', '“at” says nothing without what follows'],
    ['every Tuesday between 9 and 5', '“between 9 and 5” may give a time, but is not understood: use other words'],
    [
      'on the last working day of the month',
      '“on the last working day of the month” cannot be a schedule: name a day of the month, or one such as “every last Friday”',
    ],
    ['tomorrow at 25:00', '“25:00” is not a time of day: write 09:30 or 9:30 am'],
    ['today at 5am', 'Friday, 20 November 2026 at 05:00 is in the past'],
    ['on 1 May 2020 at 9am', '“1 May 2020”, Friday, 1 May 2020, is in the past'],
    ['on 30 February at 9am', 'There is no “30 February”'],
    [
      'every day at 9am until 20 November',
      'The end, Friday, 20 November 2026, is before the first date, Saturday, 21 November 2026',
    ],
  ])('sets no time: %s', (when, problem) => {
    const { problems, schedule, recipients } = understand(`email ann@example.com ${when}`, at);
    expect(problems.map(({ text }) => text)).toEqual([problem]);
    expect(schedule).toBeNull();
    expect(recipients).toEqual(['ann@example.com']);
  });

  it('keeps the schedule empty where a line has two', () => {
    const says = 'email ann@example.com by telegram every Monday at 9am and every 1st';
    const { problems, schedule, channels } = understand(says, at);
    expect(problems.map((problem) => [textOf(says, problem), problem.text])).toEqual([
      ['by telegram', '“by telegram” is not possible: there are email, SMS, WhatsApp, webhook, Slack and web push'],
      ['every 1st', 'A reminder has one schedule: “every 1st” needs a reminder of its own'],
    ]);
    expect(schedule).toBeNull();
    expect(channels).toEqual(['email']);
  });
});

describe('text that is not understood', () => {
  it('is marked at its position, and keeps the schedule empty', () => {
    const says = 'email ann@example.com purple monkeys every Monday at 9am green';
    const { leftOver, schedule, isWhole } = understand(says, at);
    expect(leftOver.map((span) => [span.words, textOf(says, span)])).toEqual([
      ['purple monkeys', 'purple monkeys'],
      ['green', 'green'],
    ]);
    expect({ schedule, isWhole }).toEqual({ schedule: null, isWhole: false });
  });

  it('is the whole of a line without a reminder, and none of an empty line', () => {
    expect(understand('colourless green ideas', at)).toMatchObject({
      schedule: null,
      channels: [],
      leftOver: [{ words: 'colourless green ideas' }],
    });
    expect(understand('', at)).toMatchObject({ parts: [], leftOver: [], problems: [] });
  });
});

describe('the end of a line', () => {
  it('belongs to the message when the schedule came before', () => {
    const { message, schedule } = understand(
      'tomorrow at 8am tell ann@example.com that dinner is on Friday at 7pm',
      at,
    );
    expect(message?.message).toBe('Dinner is on Friday at 7pm.');
    expect(schedule?.config.startDate).toBe('2026-11-21T08:00:00');
  });

  it('is not a schedule when it is a deadline', () => {
    const { message, schedule } = understand('email ann@example.com that they should write by Friday', at);
    expect(message?.message).toBe('They should write by Friday.');
    expect(schedule).toBeNull();
  });

  it('is the schedule when none came before', () => {
    const { message, schedule, recipients } = understand(
      'say that the bins go out to ann@example.com every Sunday at 6pm',
      at,
    );
    expect(message?.message).toBe('The bins go out.');
    expect(schedule?.config).toMatchObject({ scheduleType: 'weekly', startDate: '2026-11-22T18:00:00' });
    expect(recipients).toEqual(['ann@example.com']);
  });
});

describe('quotes', () => {
  it('are the message, word for word, unless other words are', () => {
    expect(understand('email ann@example.com tomorrow "pay up"', at).message?.message).toBe('pay up');
    const { message, leftOver } = understand('email the "Elm St" tenants tomorrow that rent is due', at);
    expect(message?.message).toBe('Rent is due.');
    expect(leftOver.map(({ words }) => words)).toEqual(['Elm St" tenants']);
  });
});

describe('a name', () => {
  const people: Person[] = [
    { name: 'Ann Lee', email: 'ann@example.com', phone: '+491711234567' },
    { name: 'Ann Smith', email: 'smith@example.com', phone: null },
    { name: 'Ben', email: 'ben@example.com', phone: null },
    { name: 'Joanna', email: 'joanna@example.com', phone: null },
    { name: 'me', email: 'nora@example.com', phone: null },
  ];
  const peopleIn = (says: string) =>
    understand(says, { ...at, people }).parts.flatMap((part) =>
      part.kind === 'audience' ? [[part.audience, ...part.people.map(({ name }) => name)]] : [],
    );

  it('is found among the people by all of its words', () => {
    expect(peopleIn('email Ben and Ann Lee tomorrow')).toEqual([
      ['Ben', 'Ben'],
      ['Ann Lee', 'Ann Lee'],
    ]);
    expect(peopleIn('remind me tomorrow to pay')).toEqual([['me', 'me']]);
  });

  it('that two people have is reported as two, and one that nobody has stays text', () => {
    const { notes } = understand('email Ann and Zoe tomorrow at 9am', { ...at, people });
    expect(peopleIn('email Ann and Zoe tomorrow at 9am')).toEqual([['Ann', 'Ann Lee', 'Ann Smith'], ['Zoe']]);
    expect(notes.map(({ text }) => text)).toEqual(['“Ann” is 2 people: Ann Lee, Ann Smith']);
  });
});

describe('any line at all', () => {
  const words = fc.constantFrom(
    ...`email text Ann <ann@example.com> ann@example.com +49 171 1234567 https://example.com/x every each 1st 31st first last
    second Monday Mondays weekday weekdays day days week month year quarter at 9 9am 25:00 noon 17:30 in 2 an hour 999999 and , .
    : - until 31 May February 30 2027 3/4 next this tomorrow today starting from for 6 weeks Berlin time UTC+2 CET CST New York
    Asia/Kolkata when payment fails before after trial ends sign-up that saying about to "rent is due" “x” " not except on the of
    then otherwise else if fails nobody is reached try fall back fallback sms slack
    between 17 twice 10 times fortnightly evening 29 99 0 minutes hours months every other { } ( ) 😀 ß İ \u{E000}`.split(
      /\s+/,
    ),
  );
  const lines = fc.oneof(
    fc.array(words, { maxLength: 25 }).map((some) => some.join(' ')),
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.string({ unit: 'binary', maxLength: 200 }),
  );
  const zones = fc.constantFrom('Europe/London', 'America/St_Johns', 'Pacific/Apia', 'UTC', 'Asia/Kathmandu');
  const instants = fc
    .integer({ min: 1_700_000_000, max: 2_000_000_000 })
    .map((seconds) => Temporal.Instant.fromEpochMilliseconds(seconds * 1_000));

  it('is parsed without an error, twice alike, with every position inside the line', () => {
    const property = fc.property(lines, zones, instants, (says, timezone, moment) => {
      const understood = understand(says, { now: moment, timezone });
      expect(understand(says, { now: moment, timezone })).toEqual(understood);
      const { parts, notes, problems, leftOver } = understood;
      for (const span of [...parts, ...notes, ...problems, ...leftOver]) {
        expect(span.from).toBeGreaterThanOrEqual(0);
        expect(span.to).toBeGreaterThanOrEqual(span.from);
        expect(span.to).toBeLessThanOrEqual(says.length);
      }
      for (const span of leftOver) expect(span.words).toBe(textOf(says, span));
    });
    for (const seed of sample.partSeeds('remarks', 20_261_200)) fc.assert(property, { seed, numRuns: 150 });
  });

  const some = (...texts: string[]) => fc.constantFrom(...texts);
  const repeated = some(
    'every 31st',
    'every 29 February',
    'every day',
    'Mondays and Fridays',
    'every month',
    'every last Friday',
    'every 3 months on the 31st',
    'every fifth Monday',
    'weekly',
    'every weekday but Friday',
    'daily in March',
  );
  const whens = fc
    .tuple(
      fc.oneof({ weight: 4, arbitrary: repeated }, some('tomorrow', 'on 31 May', 'next month', 'every 15 minutes', '')),
      some('', 'at 02:30', 'at 9am and 5pm', 'at midnight', 'at 23:59', 'in the evening', 'between 9 and 17'),
      some('', 'Berlin time', 'Apia time', 'Lord Howe time', 'St Johns time', 'UTC'),
      some('', 'starting 29 February', 'starting next Monday', 'from 31 December 2030', 'starting tomorrow'),
      some('', 'until 31 May', 'for 6 weeks', 'until the end of the year', 'for 2 days'),
    )
    .map((parts) => parts.join(' '));

  it('that yields a schedule yields one that can be stored and has an occurrence', () => {
    let schedules = 0;
    const property = fc.property(
      fc.oneof({ weight: 3, arbitrary: whens }, lines),
      zones,
      instants,
      (says, timezone, moment) => {
        const config = understand(says, { now: moment, timezone }).schedule?.config;
        if (config === undefined) return;
        schedules += 1;
        expect(ScheduleConfig.parse(config)).toEqual(config);
        if (config.type === 'scheduled') expect(firstOccurrence(config, { now: moment })).not.toBeNull();
      },
    );
    const seeds = sample.partSeeds('schedules of remarks', 20_261_200);
    for (const seed of seeds) fc.assert(property, { seed, numRuns: 200 });
    expect(schedules).toBeGreaterThan(seeds.length * 60);
  });

  it('is parsed up to its thousandth character, and not filled in when it is longer', () => {
    const long = `every Monday at 9am email ann@example.com that ${'rent is due '.repeat(100)}`;
    const { parts, isWhole, schedule, problems } = understand(long, at);
    expect(parts.every(({ to }) => to <= 1_000)).toBe(true);
    expect({ isWhole, schedule }).toEqual({ isWhole: false, schedule: null });
    expect(problems.map(({ text }) => text)).toEqual(['Only the first 1000 characters were read']);
  });

  it('costs work in proportion to its length, whatever repeats in it', () => {
    const hostile = [
      'Mon,',
      'every 1st and ',
      'first and ',
      'a ',
      '9,',
      'in ',
      'Ann ',
      '"',
      ': ',
      '1 2 ',
      'every ',
      'Mon/',
    ];
    for (const piece of [
      ...hostile,
      'the first and ',
      'Ann and ',
      'when a ',
      '@9 ',
      'New ',
      'June and ',
      'to ',
      'then ',
      'if it ',
      'otherwise try ',
      'if  ',
    ]) {
      const before = process.threadCpuUsage();
      for (const start of ['', 'email Ann ', 'email ann@example.com that ', 'every Monday at 9am ', 'x'])
        understand(`${start}${piece.repeat(1_000)}`.slice(0, 1_000), at);
      const { user, system } = process.threadCpuUsage(before);
      expect({ piece, isQuick: user + system < 2_000_000 }).toEqual({ piece, isQuick: true });
    }
  });
});
