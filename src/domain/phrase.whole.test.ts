import { describe, expect, it } from 'vitest';
import { understand } from '#domain/phrase.ts';

/** A Friday. */
const at = { now: Temporal.Instant.from('2026-11-20T12:05:14Z'), timezone: 'America/New_York' };
const read = (line: string) => understand(line, at);
const remarks = (line: string) => read(line).problems.map(({ text }) => text);

/** The schedule in short: its cron expression, or its kind and start. */
function scheduleOf(line: string): string | null {
  const { schedule, isWhole, problems, leftOver } = read(line);
  expect({ line, isWhole, problems, leftOver }).toEqual({ line, isWhole: true, problems: [], leftOver: [] });
  const { scheduleType, customCron, startDate, timezone } = schedule?.config ?? {};
  const zone = timezone === 'America/New_York' ? '' : ` ${timezone}`;
  return `${customCron ?? `${scheduleType} ${startDate?.slice(0, 16)}`}${zone}`;
}

describe('a line is understood whole', () => {
  it.each([
    ['first and third Monday of each month at 9', '0 9 * * MON#1,MON#3'],
    ['2nd and 4th Friday at 9am', '0 9 * * FRI#2,FRI#4'],
    ['every first Monday and last Friday of the month at 9am', '0 9 * * MON#1,5L'],
    ['first and third Monday of March and June at 9am', '0 9 * 3,6 MON#1,MON#3'],
    ['Mon-Fri 1730', '30 17 * * MON-FRI'],
    ['Mon/Wed/Fri 8am', '0 8 * * MON,WED,FRI'],
    ['Monday to Thursday at 0900', '0 9 * * MON-THU'],
    ['Saturday to Monday at 9am', '0 9 * * MON,SAT,SUN'],
    ['every day 0715', 'daily 2026-11-20T07:15'],
    ['every day at 1730 hrs', 'daily 2026-11-20T17:30'],
    ['every weekday but Friday at 9am', '0 9 * * MON-THU'],
    ['every weekday except Wednesday and Friday at 9am', '0 9 * * MON,TUE,THU'],
    ['every day except weekends at 9am', '0 9 * * MON-FRI'],
    ['daily at 9am but not on Sundays', '0 9 * * MON-SAT'],
    ['every hour on weekdays except Friday', '0 * * * MON-THU'],
    ['every day except in August at 9am', '0 9 * 1-7,9-12 *'],
    ['every Monday in March at 9am', '0 9 * 3 MON'],
    ['every Monday from June to August at 9am', '0 9 * 6,7,8 MON'],
    ['on the 1st of March and September at 9am', '0 9 1 3,9 *'],
    ['every 15 minutes 9am-5pm on weekdays', '*/15 9-16 * * MON-FRI'],
    ['half an hour from now', 'once 2026-11-20T07:36'],
    ['in half an hour', 'once 2026-11-20T07:36'],
    ['in 2h', 'once 2026-11-20T09:06'],
    ['in 1h30', 'once 2026-11-20T08:36'],
    ['in 1 hour and 15 minutes', 'once 2026-11-20T08:21'],
    ['in an hour and a half', 'once 2026-11-20T08:36'],
    ['in 1.5 hours', 'once 2026-11-20T08:36'],
    ['in 45 mins', 'once 2026-11-20T07:51'],
    ['2027-03-03 at 9am', 'once 2027-03-03T09:00'],
    ['2027-03-03T09:30', 'once 2027-03-03T09:30'],
    ['on Monday the 30th', 'once 2026-11-30T09:00'],
    ['Friday EOD', 'once 2026-11-20T17:00'],
    ['every Friday at close of business', 'weekly 2026-11-20T17:00'],
    ['15 March 1730', 'once 2027-03-15T17:30'],
    ['3 days before 31 March at 9am', 'once 2027-03-28T09:00'],
    ['the day before 24 December at noon', 'once 2026-12-23T12:00'],
    ['a week after 1 December at 9am', 'once 2026-12-08T09:00'],
    ['2 days before the end of the year at 9am', 'once 2026-12-29T09:00'],
    ['noon tomorrow in Tokyo', 'once 2026-11-21T12:00 Asia/Tokyo'],
    ['every Monday at 9am in Berlin', 'weekly 2026-11-23T09:00 Europe/Berlin'],
    ['from 1 June to 31 August every Monday at 9am', 'weekly 2027-06-07T09:00'],
    ['end of the month at 5pm', 'once 2026-11-30T17:00'],
    ['on the last day of the month at 5pm', 'once 2026-11-30T17:00'],
    ['at the end of each month at 5pm', '0 17 L * *'],
    ['every end of the month at 5pm', '0 17 L * *'],
    ['every month at the end of the month at 5pm', '0 17 L * *'],
    ['every 15th and last day of the month at 5pm', '0 17 15,L * *'],
    ['every Friday at quarter to five pm', 'weekly 2026-11-20T16:45'],
    ['every Friday a quarter to one pm', 'weekly 2026-11-20T12:45'],
    ['tomorrow at quarter to one', 'once 2026-11-21T00:45'],
    ['tomorrow at ten to five', 'once 2026-11-21T04:50'],
    ['tomorrow twenty-five past two pm', 'once 2026-11-21T14:25'],
    ['tomorrow at nine thirty', 'once 2026-11-21T09:30'],
    ['tomorrow nine oh five pm', 'once 2026-11-21T21:05'],
    ['every day at six forty-five in the evening', 'daily 2026-11-20T18:45'],
    ['every Friday at nine pm', 'weekly 2026-11-20T21:00'],
    ['tmrw at 5pm', 'once 2026-11-21T17:00'],
    ['2morrow at 5pm', 'once 2026-11-21T17:00'],
    ['weeknights at 7', '0 19 * * MON-FRI'],
    ['every weeknight', '0 21 * * MON-FRI'],
    ['M-F at 9am', '0 9 * * MON-FRI'],
    ['M–Th 8am', '0 8 * * MON-THU'],
    ['MWF at 9am', '0 9 * * MON,WED,FRI'],
    ['Tu/Th at 9am', '0 9 * * TUE,THU'],
    ['every Monday at 9am pst', 'weekly 2026-11-23T09:00 America/Los_Angeles'],
    ['every day 9am pt', 'daily 2026-11-20T09:00 America/Los_Angeles'],
  ])('and becomes that schedule: %s', (when, schedule) => {
    expect(scheduleOf(`${when} email ann@example.com about rent`)).toBe(schedule);
    expect(scheduleOf(`email ann@example.com ${when}: rent`)).toBe(schedule);
  });

  it('and says aloud how the end of the day is read', () => {
    const { notes, schedule } = read('email ann@example.com Friday EOD about rent');
    expect(notes.map(({ text }) => text)).toEqual(['“EOD” is read as 17:00']);
    expect(schedule?.wording).toBe('Once, on Friday, 20 November 2026 at 17:00 (America/New_York)');
  });
});

const noHolidays = (words: string) =>
  `“${words}” is not possible, because holidays are not known: leave it out, or pause the reminder on such a day`;

describe('a line with a word about time that is not understood fills in nothing', () => {
  it.each([
    ['every Wendesday', '“Wendesday” is not understood: did you mean “Wednesday”?'],
    ['tommorow at 10', '“tommorow” is not understood: did you mean “tomorrow”?'],
    ['evry Monday at 9am', '“evry” is not understood: did you mean “every”?'],
    ['every Monday at 9am untill 31 May', '“untill” is not understood: did you mean “until”?'],
    ['on 3 Ferbuary at 9am', '“Ferbuary” is not understood: did you mean “February”?'],
    ['every weekday exept Friday at 9am', '“exept” is not understood: did you mean “except”?'],
    [
      'in 3 business days at 10am',
      '“in 3 business days” is not possible, because holidays are not known: write the date',
    ],
    ['every day at 9am except holidays', noHolidays('except holidays')],
    ['every day at 9am but not on bank holidays', noHolidays('but not on bank holidays')],
    [
      'the day before Christmas at 9am',
      '“day before Christmas” may give a time, but is not understood: use other words',
    ],
    ['at 9am Easter Monday', '“Easter” may give a time, but is not understood: use other words'],
    ['in a couple of days', '“couple of days” may give a time, but is not understood: use other words'],
    ['every Monday at 9ish', '“at 9ish” does not say when exactly: write “at” a time, or “on” a day'],
    ['tomorrow noonish', '“noonish” does not say when exactly: write “at” a time, or “on” a day'],
    ['every Monday at 9am cst', '“cst” can be Chicago, Shanghai or Havana: write the city, such as “Berlin time”'],
    ['tomorrow at half four', '“half four” may give a time, but is not understood: use other words'],
    ['every Monday 9-11am', '“9-11am” may give a time, but is not understood: use other words'],
    ['on 01 02 2027 at 9am', '“01 02 2027” may give a time, but is not understood: use other words'],
    ['tomorrow at 9am or 10am', '“or” may give a time, but is not understood: use other words'],
    ['twice every Monday at 9am', '“twice” may give a time, but is not understood: use other words'],
    ['at 9am around the 15th', '“around the 15th” does not say when exactly: write “at” a time, or “on” a day'],
  ])('and names it: %s', (when, problem) => {
    for (const line of [`${when} email ann@example.com about rent`, `email ann@example.com ${when}`]) {
      expect(read(line)).toMatchObject({ isWhole: false, schedule: null });
      expect(remarks(line)).toContain(problem);
    }
  });

  it.each([
    ['remind Ann to pay rent every Wendesday at 9am', '“Wendesday” is not understood: did you mean “Wednesday”?'],
    ['remind Ann to pay rent tommorow', '“tommorow” is not understood: did you mean “tomorrow”?'],
    ['email Ann evry Monday at 9am', '“evry” is not understood: did you mean “every”?'],
    [
      'email the tenants Berlin tie ton the 1st, 2nd and 3rd of each month',
      '“tie” is not understood: did you mean “time”?',
    ],
    ['every Monday at 5pm Ned York tim, pay the rent', '“tim” is not understood: did you mean “time”?'],
    [
      'remind Ann to pay the rent at 8 imn ehe evening every Monday',
      '“8 imn ehe evening every Monday” may be when to send it, or part of the message: write it first, or put the message in quotes',
    ],
    ['Pay rent evry Monday at 9am', '“evry” is not understood: did you mean “every”?'],
    ['email May every Monday at 9am', '“May” may give a time, but is not understood: use other words'],
    [
      'Take 2 pills every day at 9am',
      '“Take 2 pills” may give a time, but is not understood: put the message in quotes',
    ],
  ])('also among the names and in the message: %s', (line, problem) => {
    expect(read(line)).toMatchObject({ isWhole: false, schedule: null });
    expect(remarks(line)).toEqual([problem]);
  });

  it('unless it is the name of a contact', () => {
    const people = [{ name: 'May', email: 'may@example.com', phone: null }];
    expect(understand('email May every Monday at 9am', { ...at, people })).toMatchObject({
      isWhole: true,
      problems: [],
    });
    expect(read('email Mary, Sandy and Eve every Monday at 9am')).toMatchObject({ isWhole: true });
  });
});

describe('the message', () => {
  it.each([
    ['text the tenants: your lease ends on March 31', 'Your lease ends on March 31.'],
    ['email ann@example.com: rent is due every 1st at 9am', 'Rent is due every 1st at 9am.'],
    ['email ann@example.com saying "rent is due every 1st at 9am"', 'rent is due every 1st at 9am'],
    ['remind Ann to pay: 500 by Friday', 'Remember to pay: 500 by Friday.'],
    ['tell Ann that the office is open from 9 to 12', 'The office is open from 9 to 12.'],
    ['email ann@example.com that she should write by Friday', 'She should write by Friday.'],
  ])('is kept whole, and gives no schedule: %s', (line, message) => {
    expect(read(line)).toMatchObject({ isWhole: true, schedule: null, message: { message } });
  });

  it('is not cut by hours of the day where the schedule came before', () => {
    const { message, schedule } = read('tomorrow at 8am tell Ann that the shop is open from 9 to 12');
    expect(message?.message).toBe('The shop is open from 9 to 12.');
    expect(schedule?.config.startDate).toBe('2026-11-21T08:00:00');
  });

  it.each([
    [
      'Tell Anna Schmidt the plumber arrives tomorrow at 2pm',
      'The plumber arrives tomorrow at 2pm.',
      'tomorrow at 2pm',
    ],
    ['let Anna Schmidt know that dinner is ready at 7pm', 'Dinner is ready at 7pm.', 'at 7pm'],
    ['email Anna Schmidt about the meeting on Friday', 'This is a reminder about the meeting on Friday.', 'on Friday'],
  ])('may have a single time of its own, which is asked about: %s', (line, message, when) => {
    const { parts, message: said, isWhole, schedule } = read(line);
    expect(parts.flatMap((part) => (part.kind === 'audience' ? [part.audience] : []))).toEqual(['Anna Schmidt']);
    expect({ isWhole, schedule, message: said?.message }).toEqual({ isWhole: false, schedule: null, message });
    expect(remarks(line)).toEqual([
      `“${when}” may be when to send it, or part of the message: write it first, or put the message in quotes`,
    ]);
  });

  it('is also asked about where the line is nothing else', () => {
    for (const line of ['The plumber arrives tomorrow at 2pm', 'Rent is due on the 1st', 'Dinner is ready at 7pm'])
      expect(read(line)).toMatchObject({ isWhole: false, schedule: null });
    expect(read('Call the plumber tomorrow at 2pm')).toMatchObject({ isWhole: true });
    expect(read('Rent is due every 1st at 9am')).toMatchObject({ isWhole: true });
  });

  it.each([
    ['email Ann that rent is due every weekday at 9am except holidays', 'every weekday at 9am except holidays'],
    ['remind me to water the plants daily at 9am unless it rains', 'daily at 9am unless it rains'],
    ['remind Ann to air the rooms every day in the basement', 'every day in the basement'],
  ])('does not hide what repeats where more follows: %s', (line, when) => {
    expect(read(line)).toMatchObject({ isWhole: false, schedule: null });
    expect(remarks(line)).toEqual([
      `“${when}” may be when to send it, or part of the message: write it first, or put the message in quotes`,
    ]);
    expect(read(`email ann@example.com "air the rooms every day in the basement"`)).toMatchObject({ isWhole: true });
  });

  it('is not what says who receives it', () => {
    expect(remarks('churned customers get a discount every Monday at 9am')).toEqual([
      '“churned customers” may be who receives it: write “email churned customers”, or put the message in quotes',
    ]);
    expect(remarks('go and get milk every Monday at 9am')).toEqual([]);
    expect(read('churned customers get an email every Monday at 9am: come back')).toMatchObject({
      isWhole: true,
      parts: expect.arrayContaining([expect.objectContaining({ kind: 'audience', audience: 'churned customers' })]),
      message: { message: 'Come back.' },
    });
  });

  it('of a time is none: quarter to five', () => {
    expect(read('email ann@example.com every Friday at quarter to five').message).toBeNull();
    expect(read('remind me tmrw to call Ben').message?.message).toBe('Remember to call Ben.');
    expect(read('remind me to call Ben tmrw at 3pm').message?.message).toBe('Remember to call Ben.');
  });

  it('ends before what repeats, and before the time of a task', () => {
    expect(read('email Ann that rent is due every 1st at 9am')).toMatchObject({
      isWhole: true,
      message: { message: 'Rent is due.' },
      schedule: { config: { scheduleType: 'monthly' } },
    });
    expect(read('remind me to call the bank tomorrow at 3pm')).toMatchObject({
      isWhole: true,
      message: { message: 'Remember to call the bank.' },
      schedule: { config: { startDate: '2026-11-21T15:00:00' } },
    });
  });

  it('may begin right after a name', () => {
    const { parts, message } = read('tell Anna Schmidt and Ben your keys are ready every Monday at 9am');
    expect(parts.flatMap((part) => (part.kind === 'audience' ? [part.audience] : []))).toEqual(['Anna Schmidt', 'Ben']);
    expect(message?.message).toBe('Your keys are ready.');
  });
});
