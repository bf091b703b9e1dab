import { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { TimeZone } from '#contract/schedules.ts';
import { untilFound } from '#testing/changes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

type Job = { id: string; status: string; scheduled_for: string; name: string; attempts: number };

describe('the schedule of a reminder', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  afterAll(() => cuebird.stop());
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });

  const call = (method: string, path: string, body?: unknown) => dana.call(method, path, { workspace, body });
  const schedule = (changes: object = {}) => ({
    type: 'scheduled',
    scheduleType: 'daily',
    startDate: '2099-03-02T09:00:00',
    timezone: 'Europe/Berlin',
    ...changes,
  });
  const reminder = (schedule_config: object, status = 'active') => ({ ...sampleReminder, status, schedule_config });
  const write = (schedule_config: object, status?: string) =>
    call('POST', '/api/reminders', reminder(schedule_config, status));
  const jobs = async (): Promise<Job[]> => (await call('GET', '/api/jobs')).json.data;
  const scheduled = async () => (await jobs()).map(({ status, scheduled_for }) => [status, scheduled_for]);
  const forecast = async (schedule_config: object, rest: object = {}) =>
    call('POST', '/api/reminders/forecast', { schedule_config, ...rest });
  const ago = (duration: Temporal.DurationLike) =>
    Temporal.Now.zonedDateTimeISO('UTC').subtract(duration).toPlainDateTime().toString({ smallestUnit: 'second' });

  it('is one pending job at its next occurrence, as in the reminder and the forecast', async () => {
    for (const config of [
      schedule(),
      schedule({ scheduleType: 'once' }),
      schedule({ scheduleType: 'weekly', startDate: '2020-01-06T02:30:00' }),
      schedule({ scheduleType: 'monthly', startDate: '2020-01-31T02:30:00' }),
      schedule({ scheduleType: 'custom', customCron: '30 2 1 1 *', startDate: undefined }),
    ]) {
      const created = (await write(config)).json;
      const pending = (await jobs()).filter(({ status }) => status === 'pending');
      expect(pending[0]?.scheduled_for).toBe(created.next_run_at);
      expect((await forecast(config, { count: 1 })).json.occurrences).toEqual([created.next_run_at]);
    }
    expect(await jobs()).toHaveLength(5);
  });

  it('includes a one-time start just missed, which is sent when saved', async () => {
    const config = schedule({ scheduleType: 'once', startDate: ago({ hours: 2 }), timezone: 'UTC' });
    expect((await forecast(config)).json.occurrences).toEqual([`${config.startDate}.000Z`]);
  });

  it('is refused when a one-time reminder ends before it starts', async () => {
    const refused = await write(schedule({ scheduleType: 'once', endDate: '2099-03-01T00:00:00' }));
    expect(refused.status).toBe(422);
    expect(refused.json.error.fields).toEqual([
      { path: 'schedule_config.endDate', message: 'End date is before the start date' },
    ]);
  });

  it('allows edits of a one-time reminder after its time, in any format of its start', async () => {
    const late = ago({ hours: 2 });
    const created = (await write(schedule({ scheduleType: 'once', startDate: `${late}Z`, timezone: 'UTC' }))).json;
    const owner = new Client({ connectionString: cuebird.databaseUrl });
    await owner.connect();
    await owner.query('delete from jobs where reminder_id = $1', [created.id]);
    const long = ago({ days: 3 });
    await owner.query(
      "update reminders set schedule_config = jsonb_set(schedule_config::jsonb, '{startDate}', to_jsonb($2::text)) where id = $1",
      [created.id, `${long}Z`],
    );
    await owner.end();
    const edited = await call(
      'PUT',
      `/api/reminders/${created.id}`,
      reminder(schedule({ scheduleType: 'once', startDate: long, timezone: 'UTC' })),
    );
    expect(edited.status).toBe(200);
    expect(edited.json.next_run_at).toBeNull();
  });

  it('has a warning for a private address, but not for the sandbox', async () => {
    const { webhook_url } = (await call('GET', '/api/inbox/addresses')).json;
    const to = async (recipient: string) => {
      const body = {
        ...reminder(schedule()),
        metadata: { channels: ['webhook'] },
        content: { subject: 'Rent', message: 'Hi', recipients: [recipient] },
      };
      return (await call('POST', '/api/reminders', body)).json.warnings;
    };
    expect(await to(webhook_url)).toEqual([]);
    expect(await to('http://10.1.2.3/hook')).toEqual([
      'http://10.1.2.3/hook leads to a private address and may be refused when it is sent',
    ]);
  });

  it('is empty for a draft, a paused reminder and an event reminder', async () => {
    await write(schedule(), 'draft');
    await write(schedule(), 'paused');
    await write({ type: 'event-based', eventTrigger: 'user_signup', timezone: 'UTC' });
    expect(await jobs()).toEqual([]);
  });

  it('starts now when it has no start date', async () => {
    const { json } = await write(schedule({ startDate: undefined }));
    const start = Temporal.PlainDateTime.from(json.schedule_config.startDate).toZonedDateTime('Europe/Berlin');
    expect(Math.abs(start.epochMilliseconds - Date.now())).toBeLessThan(60_000);
    expect(Date.parse(json.next_run_at)).toBe(start.epochMilliseconds);
  });

  it('is moved by an edit and remains one job', async () => {
    const { id } = (await write(schedule())).json;
    const [before] = await jobs();
    const edited = reminder(schedule({ startDate: '2099-05-01T18:00:00' }));
    const answer = await call('PUT', `/api/reminders/${id}`, { ...edited, name: 'Deposit' });
    expect(answer.json.next_run_at).toBe('2099-05-01T16:00:00.000Z');
    expect(await jobs()).toMatchObject([
      { id: before?.id, status: 'pending', scheduled_for: '2099-05-01T16:00:00.000Z', name: 'Deposit' },
    ]);
  });

  it('is one job after eight edits at once', async () => {
    const { id } = (await write(schedule())).json;
    const days = ['01', '02', '03', '04', '05', '06', '07', '08'];
    const answers = await Promise.all(
      days.map((day) =>
        call('PUT', `/api/reminders/${id}`, reminder(schedule({ startDate: `2099-05-${day}T09:00:00` }))),
      ),
    );
    expect(answers.map(({ status }) => status)).toEqual(days.map(() => 200));
    const last = (await call('GET', `/api/reminders/${id}`)).json;
    expect(await scheduled()).toEqual([['pending', last.next_run_at]]);
    expect(last.next_run_at.slice(0, 10)).toBe(last.schedule_config.startDate.slice(0, 10));
  });

  it('is one job or none after pausing, resuming and editing all at once', async () => {
    const { id } = (await write(schedule())).json;
    const path = `/api/reminders/${id}`;
    await Promise.all(
      [0, 1, 2].flatMap((n) => [
        call('PATCH', path, { status: 'paused' }),
        call('PATCH', path, { status: 'active' }),
        call('PUT', path, reminder(schedule({ startDate: `2099-05-0${n + 1}T09:00:00` }))),
      ]),
    );
    const { status, next_run_at } = (await call('GET', path)).json;
    const found = await scheduled();
    expect(found).toHaveLength(1);
    expect(found[0]?.[0]).toBe(status === 'active' ? 'pending' : 'paused');
    expect(next_run_at).toBe(status === 'active' ? found[0]?.[1] : null);
  });

  it('is held by a pause and recomputed from now on resume', async () => {
    const { id } = (await write(schedule())).json;
    const paused = await call('PATCH', `/api/reminders/${id}`, { status: 'paused' });
    expect(paused.json).toMatchObject({ status: 'paused', next_run_at: null });
    expect(await scheduled()).toEqual([['paused', '2099-03-02T08:00:00.000Z']]);
    const resumed = await call('PATCH', `/api/reminders/${id}`, { status: 'active' });
    expect(resumed.json).toMatchObject({ status: 'active', next_run_at: '2099-03-02T08:00:00.000Z' });
    expect(await scheduled()).toEqual([['pending', '2099-03-02T08:00:00.000Z']]);
  });

  it('is refused when a one-time start is more than a day in the past', async () => {
    const config = schedule({ scheduleType: 'once', startDate: ago({ hours: 25 }), timezone: 'UTC' });
    const refused = await write(config);
    expect(refused.status).toBe(422);
    expect(refused.json.error.fields).toEqual([
      { path: 'schedule_config.startDate', message: 'Start date is more than 24 hours ago; choose a later one' },
    ]);
    const draft = await write(config, 'draft');
    expect(draft.status).toBe(201);
    const resumed = await call('PATCH', `/api/reminders/${draft.json.id}`, { status: 'active' });
    expect(resumed.status).toBe(422);
    expect((await call('GET', `/api/reminders/${draft.json.id}`)).json.status).toBe('draft');
    expect(await jobs()).toEqual([]);
  });

  it('says that a one-time start has passed when it is set, and nothing of one that is now', async () => {
    const config = schedule({ scheduleType: 'once', startDate: ago({ hours: 2 }), timezone: 'UTC' });
    const { status, json } = await write(config);
    expect([status, json.warnings]).toEqual([
      201,
      ['Its time has passed: it is sent at once, unless what was missed is skipped'],
    ]);
    expect(
      (await write(schedule({ scheduleType: 'once', startDate: ago({ seconds: 5 }), timezone: 'UTC' }))).json.warnings,
    ).toEqual([]);
    expect((await write(config, 'draft')).json.warnings).toEqual([]);
  });

  it('is sent at once when a one-time start was missed by less than a day', async () => {
    const startDate = ago({ hours: 23 });
    const { id } = (await write(schedule({ scheduleType: 'once', startDate, timezone: 'UTC' }))).json;
    const done = await untilFound(cuebird.databaseUrl, async () =>
      (await jobs()).find(({ status }) => status === 'completed'),
    );
    expect(done).toMatchObject({ scheduled_for: `${startDate}.000Z`, attempts: 1 });
    const reread = (await call('GET', `/api/reminders/${id}`)).json;
    expect(reread).toMatchObject({ status: 'active', next_run_at: null });
    const inbox = await call('GET', '/api/inbox');
    expect(inbox.json.data).toMatchObject([{ subject: 'Rent is due' }]);
    // An edit of the text after the reminder was sent is allowed, and does not send it again.
    const edited = { ...reminder(reread.schedule_config), name: 'Renamed' };
    expect((await call('PUT', `/api/reminders/${id}`, edited)).status).toBe(200);
    expect(await scheduled()).toEqual([['completed', `${startDate}.000Z`]]);
  });

  describe('from an invalid cron expression', () => {
    const config = (customCron?: string) => schedule({ scheduleType: 'custom', customCron });
    const words = 'Day of the month: February has no day 30';
    const fields = [{ path: 'schedule_config.customCron', message: words }];

    it('is saved as a draft with a warning', async () => {
      const draft = await write(config('0 0 30 2 *'), 'draft');
      expect(draft.status).toBe(201);
      expect(draft.json).toMatchObject({
        status: 'draft',
        warnings: [`The schedule cannot run. ${words}`],
        next_run_at: null,
      });
      const impossible = await write(config('0 0 9 * * MON'), 'draft');
      expect([impossible.status, impossible.json.warnings.length]).toEqual([201, 1]);
      const put = await call('PUT', `/api/reminders/${draft.json.id}`, reminder(config('*/0 * * * *'), 'draft'));
      expect([put.status, put.json.warnings]).toEqual([
        200,
        ['The schedule cannot run. Minute: the step must be at least 1, not 0'],
      ]);
    });

    it('is refused by every request that activates it', async () => {
      expect((await write(config('0 0 30 2 *'))).json.error.fields).toEqual(fields);
      const { id } = (await write(config('0 0 30 2 *'), 'draft')).json;
      const patched = await call('PATCH', `/api/reminders/${id}`, { status: 'active' });
      expect([patched.status, patched.json.error.message]).toEqual([422, words]);
      expect(patched.json.error.fields).toEqual(fields);
      const put = await call('PUT', `/api/reminders/${id}`, reminder(config('0 0 30 2 *')));
      expect(put.json.error.fields).toEqual(fields);
      expect((await call('GET', `/api/reminders/${id}`)).json.status).toBe('draft');
    });

    it('is refused by the forecast', async () => {
      const refused = await forecast(config('0 0 30 2 *'));
      expect([refused.status, refused.json.error.fields]).toEqual([422, fields]);
      for (const [cron, message] of [
        ['', /^The cron expression is empty/],
        [undefined, /^The cron expression is empty/],
        ['0 9 * *', 'The cron expression "0 9 * *" has 4 fields; it needs five: minute hour day month weekday'],
        ['0 0 9 * * MON', /has 6 fields; it needs five/],
        ['junk', /has 1 field; it needs five/],
        ['@fortnightly', /^"@fortnightly" is not a cron nickname/],
        ['*/0 * * * *', 'Minute: the step must be at least 1, not 0'],
        ['0 24 * * *', 'Hour: 24 is not between 0 and 23'],
        ['0 9 15W * *', 'Day of the month: W, the nearest working day, is not supported'],
        ['0 9 31 FEB,NOV *', 'Day of the month: none of these months has a day 31'],
        ['0 9 * MAI *', 'Month: "MAI" is not a number from 1 to 12 or a name from JAN to DEC'],
        ['0 9 * * FUNDAY', 'Weekday: "FUNDAY" is not a number from 0 to 7 or a name from SUN to SAT'],
      ] as const) {
        const { status, json } = await forecast(config(cron));
        const said = typeof message === 'string' ? message : expect.stringMatching(message);
        expect([status, json.error.code, json.error.message]).toEqual([422, 'unprocessable', said]);
        expect(json.error.fields).toEqual([{ path: 'schedule_config.customCron', message: said }]);
      }
    });
  });

  describe('from an event trigger without a name', () => {
    const config = { type: 'event-based', timezone: 'UTC' };
    const fields = [{ path: 'schedule_config.eventTrigger', message: 'Event trigger is required' }];

    it('is saved as a draft with a warning', async () => {
      const draft = await write(config, 'draft');
      expect([draft.status, draft.json.warnings]).toEqual([
        201,
        ['The schedule cannot run. Event trigger is required'],
      ]);
    });

    it('is refused by every request that activates it', async () => {
      const created = await write(config);
      expect([created.status, created.json.error.message, created.json.error.fields]).toEqual([
        422,
        'Event trigger is required',
        fields,
      ]);
      const { id } = (await write(config, 'draft')).json;
      const path = `/api/reminders/${id}`;
      expect((await call('PUT', path, reminder(config))).json.error.fields).toEqual(fields);
      expect((await call('PATCH', path, { status: 'active' })).json.error.fields).toEqual(fields);
      const bulk = await call('POST', '/api/reminders/bulk', { ids: [id], action: 'resume' });
      expect(bulk.json.results).toMatchObject([{ id, result: 'unchanged' }]);
      const copy = (await call('POST', `${path}/duplicate`)).json;
      expect((await call('PATCH', `/api/reminders/${copy.id}`, { status: 'active' })).status).toBe(422);
      await call('DELETE', path);
      await call('POST', '/api/reminders/restore', { ids: [id] });
      expect((await call('GET', path)).json.status).toBe('draft');
      const all = (await call('GET', '/api/reminders?status=active')).json.data;
      expect(all).toEqual([]);
    });
  });

  it('is refused at activation after its end, unless it was active before', async () => {
    const config = schedule({ startDate: '2020-03-02T09:00:00', endDate: '2020-04-01T00:00:00' });
    const fields = [{ path: 'schedule_config.endDate', message: 'End date has passed; choose a later one' }];
    for (const scheduleType of ['daily', 'weekly', 'monthly', 'custom'])
      expect(
        (await write({ ...config, scheduleType, ...(scheduleType === 'custom' && { customCron: '0 9 * * *' }) })).json
          .error.fields,
      ).toEqual(fields);
    const { id } = (await write(config, 'draft')).json;
    expect((await call('PATCH', `/api/reminders/${id}`, { status: 'active' })).json.error.fields).toEqual(fields);
    const early = await write({ ...config, endDate: '2020-03-01T00:00:00' });
    expect(early.json.error.message).toBe('End date is before the start date');
    const owner = new Client({ connectionString: cuebird.databaseUrl });
    await owner.connect();
    await owner.query("update reminders set status = 'active' where id = $1", [id]);
    await owner.end();
    const edited = await call('PUT', `/api/reminders/${id}`, { ...reminder(config), name: 'Renamed' });
    expect([edited.status, edited.json.next_run_at]).toEqual([200, null]);
  });

  it('is forecast with a note where a clock change or the calendar moves it', async () => {
    const spring = await forecast(schedule({ startDate: '2027-03-27T02:30:00' }), { count: 3 });
    expect(spring.json).toEqual({
      occurrences: ['2027-03-27T01:30:00.000Z', '2027-03-28T01:30:00.000Z', '2027-03-29T00:30:00.000Z'],
      notes: [{ at: '2027-03-28T01:30:00.000Z', note: 'moved from 02:30: clocks go forward' }],
    });
    const autumn = await forecast(
      schedule({ scheduleType: 'custom', customCron: '30 2 31 10 *', startDate: undefined }),
      {
        count: 1,
        after: '2027-01-01T00:00:00Z',
      },
    );
    expect(autumn.json).toEqual({
      occurrences: ['2027-10-31T00:30:00.000Z'],
      notes: [
        {
          at: '2027-10-31T00:30:00.000Z',
          note: 'happens twice that night: the first 02:30 counts: clocks go back',
        },
      ],
    });
    const monthly = await forecast(schedule({ scheduleType: 'monthly', startDate: '2027-03-31T09:00:00' }));
    expect(monthly.json.notes).toEqual([
      { at: '2027-04-30T07:00:00.000Z', note: 'moved from the 31st: the month has 30 days' },
      { at: '2027-06-30T07:00:00.000Z', note: 'moved from the 31st: the month has 30 days' },
    ]);
  });

  it('is forecast with a note where a one-time start has just passed', async () => {
    const startDate = Temporal.Now.instant().subtract({ hours: 2 }).round({ smallestUnit: 'second' }).toString();
    const { json } = await forecast(schedule({ scheduleType: 'once', startDate }));
    const at = json.occurrences[0];
    expect(Temporal.Instant.from(at).equals(startDate)).toBe(true);
    expect(json).toEqual({
      occurrences: [at],
      notes: [{ at, note: 'this time has passed: sent as soon as it is active' }],
    });
  });

  it('may use any timezone, including old names, in its canonical spelling', async () => {
    const owner = new Client({ connectionString: cuebird.databaseUrl });
    await owner.connect();
    const { rows } = await owner.query<{ name: string }>(
      "select name from pg_timezone_names where name !~ '^(posix|right)/|^(Factory|localtime|posixrules)$'",
    );
    await owner.end();
    const names = [...rows.map(({ name }) => name), ...Intl.supportedValuesOf('timeZone')];
    expect(names.length).toBeGreaterThan(900);
    expect(names.filter((zone) => TimeZone.safeParse(zone).data !== zone)).toEqual([]);

    const old = (await write(schedule({ timezone: 'us/eastern' }))).json;
    expect([old.schedule_config.timezone, old.next_run_at]).toEqual(['US/Eastern', '2099-03-02T14:00:00.000Z']);
  });

  it.each(['Mars/Phobos', 'PST', 'GMT+5', '+01:00', '', '2026-01-01T00:00Z[Europe/Berlin]'])(
    'is refused with the unknown zone "%s", even as a draft',
    async (timezone) => {
      for (const refused of [await write(schedule({ timezone }), 'draft'), await forecast(schedule({ timezone }))]) {
        expect(refused.status).toBe(400);
        expect(refused.json.error.fields).toEqual([
          { path: 'schedule_config.timezone', message: 'is not a known timezone, for example Europe/Berlin' },
        ]);
      }
    },
  );

  it('is forecast five times, or as often as requested, from any instant', async () => {
    const five = await forecast(schedule({ startDate: '2099-03-28T02:30:00' }));
    expect(five.json.occurrences).toEqual([
      '2099-03-28T01:30:00.000Z',
      '2099-03-29T01:30:00.000Z',
      '2099-03-30T00:30:00.000Z',
      '2099-03-31T00:30:00.000Z',
      '2099-04-01T00:30:00.000Z',
    ]);
    const later = await forecast(schedule(), { count: 1, after: '2099-12-01T00:00:00+01:00' });
    expect(later.json.occurrences).toEqual(['2099-12-01T08:00:00.000Z']);
    expect((await forecast(schedule(), { count: 100 })).json.occurrences).toHaveLength(100);
    expect((await forecast(schedule(), { count: 101 })).status).toBe(400);
    expect((await forecast(schedule({ endDate: '2099-03-03T00:00:00' }))).json.occurrences).toHaveLength(2);
    expect((await forecast({ type: 'event-based', timezone: 'UTC' })).json.occurrences).toEqual([]);
  });
});
