import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { AgendaEntry } from '#contract/agenda-entry.ts';
import type { Agenda } from '#contract/agenda.ts';
import { agendaLimits } from '#contract/agenda.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('the agenda', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const today = Temporal.Now.plainDateISO('UTC');
  const dayIn = (days: number) => today.add({ days }).toString();

  async function agenda(query: Record<string, string> = {}): Promise<Agenda> {
    const { status, json } = await dana.call('GET', `/api/agenda?${new URLSearchParams(query)}`, { workspace });
    expect([status, json.error]).toEqual([200, undefined]);
    return json;
  }
  const entriesIn = ({ data }: Agenda): AgendaEntry[] => data.flatMap(({ entries }) => entries);
  const namesIn = (shown: Agenda) => [...new Set(entriesIn(shown).map(({ name }) => name))].toSorted();
  const countIn = ({ data }: Agenda) => data.reduce((sum, { occurrences }) => sum + occurrences, 0);

  async function call(method: string, path: string, body?: object) {
    const { status, json } = await dana.call(method, path, { workspace, body });
    expect([Math.floor(status / 100), json.error]).toEqual([2, undefined]);
    return json;
  }
  const remind = async (of: object = {}): Promise<string> =>
    (await call('POST', '/api/reminders', { ...daily, ...of })).id;

  /** A message of the API that waits. */
  const insertJob = async (job: { name: string; at: string; channels?: string[]; recipients?: string[] }) => {
    const payload = { channels: job.channels ?? ['email'], recipients: job.recipients ?? ['a@example.com'] };
    await database.query(
      `insert into jobs (workspace_id, name, type, status, scheduled_for, run_at, payload)
       values ($1, $2, 'api_notification', 'pending', $3, $3, $4)`,
      [workspace, job.name, job.at, payload],
    );
  };

  it('has each occurrence of the next 60 days, the first with its job', async () => {
    const id = await remind();
    const shown = await agenda();
    expect(shown).toMatchObject({ from: dayIn(0), to: dayIn(59), is_complete: true, event_reminders: 0 });
    expect(countIn(shown)).toBe(shown.data.length);
    expect(shown.data.length).toBeGreaterThanOrEqual(59);
    const [first, second] = entriesIn(shown);
    expect(first).toMatchObject({
      id,
      reminder_id: id,
      job_id: expect.any(String),
      name: 'Every day',
      type: 'reminder',
      timezone: 'UTC',
      channels: ['email'],
      recipients: 1,
      people: 0,
      state: 'scheduled',
      waiting: null,
    });
    expect(first?.due_at).toBe(first?.at);
    expect(second).toMatchObject({ id, job_id: null });
  });

  it('says how many people the audience has now', async () => {
    const contact = { phone: null, tags: ['tenant'] };
    await call('POST', '/api/contacts', { ...contact, name: 'Ann', email: 'ann@example.com' });
    await call('POST', '/api/contacts', { ...contact, name: 'Ben', email: 'ben@example.com' });
    await remind({ metadata: { ...daily.metadata, audience: { tags: ['tenant'] } } });
    expect(entriesIn(await agenda())[0]).toMatchObject({ people: 2, recipients: 1 });
  });

  it('by a person says which occurrences are skipped for them, and which come during their pause', async () => {
    const { id: ann } = await call('POST', '/api/contacts', { name: 'Ann', email: 'ann@example.com', phone: null });
    const id = await remind({ metadata: { ...daily.metadata, audience: { contacts: [ann] } } });
    const exclusions = async () =>
      entriesIn(await agenda({ contact: ann }))
        .slice(0, 4)
        .map(({ exclusion }) => exclusion);
    expect(await exclusions()).toEqual([null, null, null, null]);
    const { data: jobs } = await call('GET', `/api/jobs?reminder_id=${id}`);
    await call('PUT', `/api/jobs/${jobs[0].id}/skips/${ann}`);
    expect(await exclusions()).toEqual(['skipped', null, null, null]);
    await call('PUT', `/api/contacts/${ann}/pause`, { until: jobs[0].scheduled_for.slice(0, 10) });
    expect(await exclusions()).toEqual(['skipped', null, null, null]);
    const due = Temporal.Instant.from(jobs[0].scheduled_for).toZonedDateTimeISO('UTC').toPlainDate();
    await call('PUT', `/api/contacts/${ann}/pause`, { until: due.add({ days: 2 }).toString() });
    expect(await exclusions()).toEqual(['skipped', 'paused', null, null]);
    const { data } = await call(
      'GET',
      `/api/agenda/entries?${new URLSearchParams({ day: due.toString(), contact: ann })}`,
    );
    expect(data).toMatchObject([{ exclusion: 'skipped' }]);
    // Of everybody, nobody's exclusion is told.
    expect(entriesIn(await agenda())[0]).toMatchObject({ exclusion: null });
  });

  it('by a tag has what goes to everybody with it, however the tag is written', async () => {
    await remind({ name: 'Rent', metadata: { ...daily.metadata, audience: { tags: ['Mieter Süd'] } } });
    await remind({ name: 'Bins' });
    await insertJob({ name: 'By the API', at: `${dayIn(1)}T09:00:00Z` });
    expect(namesIn(await agenda({ tag: 'mieter sud' }))).toEqual(['Rent']);
    expect(namesIn(await agenda({ tag: 'mieter' }))).toEqual([]);
    expect(namesIn(await agenda())).toEqual(['Bins', 'By the API', 'Rent']);
  });

  it('respects the end of a schedule, pauses with an end, and what was cancelled', async () => {
    const { schedule_config: schedule } = daily;
    await remind({ name: 'Ends', schedule_config: { ...schedule, endDate: `${dayIn(9)}T00:00:00` } });
    expect(countIn(await agenda())).toBeLessThanOrEqual(10);
    const cancelled = await remind({ name: 'Cancelled' });
    const before = countIn(await agenda({ reminder: cancelled }));
    const { data: jobs } = await call('GET', `/api/jobs?reminder_id=${cancelled}`);
    await call('POST', `/api/jobs/${jobs[0].id}/cancel`);
    expect(countIn(await agenda({ reminder: cancelled }))).toBe(before - 1);
    const until = `${dayIn(30)}T12:00:00Z`;
    await call('PATCH', `/api/reminders/${cancelled}`, { status: 'paused', until });
    const [first] = entriesIn(await agenda({ reminder: cancelled }));
    expect(first).toMatchObject({ at: `${dayIn(31)}T09:00:00.000Z`, state: 'scheduled' });
    await call('PATCH', `/api/reminders/${cancelled}`, { status: 'active' });
    await call('PATCH', `/api/reminders/${cancelled}`, { status: 'paused' });
    expect(await agenda({ reminder: cancelled })).toMatchObject({ data: [] });
  });

  it('shows a paused message of the API at its time, whenever it may be taken', async () => {
    for (const [name, runAt] of Object.entries({ Early: `${dayIn(1)}T09:00:00Z`, Late: '2099-01-01T09:00:00Z' })) {
      await insertJob({ name, at: `${dayIn(2)}T09:00:00Z` });
      await database.query(
        `update jobs set status = 'paused', paused_at = now(), run_at = $3 where workspace_id = $1 and name = $2`,
        [workspace, name, runAt],
      );
    }
    const shown = await agenda();
    expect(shown.data).toMatchObject([{ day: dayIn(2), occurrences: 2 }]);
    expect(entriesIn(shown).map(({ state }) => state)).toEqual(['paused', 'paused']);
  });

  it('shows an occurrence that somebody has paused, and says so', async () => {
    const id = await remind();
    const { data: jobs } = await call('GET', `/api/jobs?reminder_id=${id}`);
    await call('POST', `/api/jobs/${jobs[0].id}/pause`);
    expect(entriesIn(await agenda()).slice(0, 2)).toMatchObject([
      { job_id: jobs[0].id, state: 'paused' },
      { state: 'scheduled' },
    ]);
  });

  it('leaves out what the pause of all reminders skips, and keeps what the API sends', async () => {
    await remind();
    await insertJob({ name: 'By the API', at: `${dayIn(1)}T09:00:00Z` });
    await call('POST', '/api/reminders/pause-all', { until: `${dayIn(20)}T00:00:00Z` });
    const shown = await agenda();
    expect(shown.reminders_paused_until).toBe(`${dayIn(20)}T00:00:00Z`);
    expect(entriesIn(shown).slice(0, 2)).toMatchObject([
      { name: 'By the API', at: `${dayIn(1)}T09:00:00.000Z` },
      { name: 'Every day', at: `${dayIn(20)}T09:00:00.000Z` },
    ]);
  });

  it('has what events have scheduled, also in a pause that ends before it, and counts reminders that wait for one', async () => {
    const schedule = { type: 'event-based', eventTrigger: 'user_signup', timezone: 'UTC' };
    const delayed = { schedule_config: { ...schedule, delayAmount: 9, delayUnit: 'days' } };
    const id = await remind({ name: 'Welcome', ...delayed });
    await call('POST', '/api/events', { event: 'user_signup' });
    const shown = await agenda();
    expect(shown.event_reminders).toBe(1);
    expect(entriesIn(shown)).toMatchObject([
      { name: 'Welcome', reminder_id: id, type: 'event_reminder', recipients: 1 },
    ]);
    await call('PATCH', `/api/reminders/${id}`, { status: 'paused', until: `${dayIn(5)}T00:00:00Z` });
    expect(entriesIn(await agenda())).toMatchObject([{ name: 'Welcome', state: 'scheduled' }]);
    await call('PATCH', `/api/reminders/${id}`, { status: 'paused', until: `${dayIn(15)}T00:00:00Z` });
    expect(entriesIn(await agenda())).toEqual([]);
  });

  it('puts what is due outside of sending hours on the day on which it is sent', async () => {
    const hours = { enabled: true, days: [1, 2, 3, 4, 5, 6, 7], from: '09:00', to: '20:00' };
    const sendingHours = { ...hours, zone: 'workspace', timezone: 'UTC', channels: ['sms'] };
    await call('PATCH', `/api/workspaces/${workspace}`, { settings: { sendingHours } });
    const lateMessage = { name: 'Late', at: `${dayIn(3)}T22:00:00Z`, channels: ['sms'] };
    await insertJob(lateMessage);
    await insertJob({ ...lateMessage, name: 'By mail too', channels: ['sms', 'email'] });
    await remind({
      name: 'Nightly',
      content: { ...daily.content, recipients: ['+12025550123'] },
      metadata: { ...daily.metadata, channels: ['sms'] },
      schedule_config: { ...daily.schedule_config, scheduleType: 'once', startDate: `${dayIn(5)}T23:00:00` },
    });
    const due = (at: string) => ({ due_at: at });
    expect((await agenda()).data).toMatchObject([
      { day: dayIn(3), occurrences: 1, entries: [{ name: 'By mail too', at: `${dayIn(3)}T22:00:00.000Z` }] },
      {
        day: dayIn(4),
        occurrences: 1,
        entries: [{ name: 'Late', at: `${dayIn(4)}T09:00:00.000Z`, ...due(`${dayIn(3)}T22:00:00.000Z`) }],
      },
      {
        day: dayIn(6),
        occurrences: 1,
        entries: [{ name: 'Nightly', at: `${dayIn(6)}T09:00:00.000Z`, ...due(`${dayIn(5)}T23:00:00.000Z`) }],
      },
    ]);
  });

  describe('has what has begun and not ended', () => {
    /** A job with the state of its run: when it is tried again, and what became of its messages. */
    const insertBegun = async (
      job: {
        name: string;
        status: 'pending' | 'running';
        due: string;
        runAt: string;
        reminder?: string;
        isStarted?: boolean;
      },
      outcomes: string[] = [],
    ) => {
      const { rows } = await database.query<{ id: string }>(
        `insert into jobs (workspace_id, reminder_id, name, type, status, scheduled_for, run_at, started_at, attempts, claim_id, payload)
         values ($1, $2, $3, $4, $5, $6, $7, case when $8 then $6::timestamptz end, 1, case when $5 = 'running' then uuidv7() end,
                 '{"channels":["email"],"recipients":["a@example.com"]}') returning id`,
        [
          workspace,
          job.reminder ?? null,
          job.name,
          job.reminder === undefined ? 'api_notification' : 'reminder',
          job.status,
          job.due,
          job.runAt,
          job.isStarted ?? true,
        ],
      );
      const id = rows[0]?.id ?? '';
      for (const [at, status] of outcomes.entries())
        await database.query(
          `insert into deliveries (workspace_id, job_id, scheduled_for, channel, recipient, status, attempts)
           values ($1, $2, $3, 'email', $4, $5, 1)`,
          [workspace, id, job.due, `a${at}@example.com`, status],
        );
      if (job.status === 'running')
        await database.query(
          `insert into claims (id, worker, lease_until, job_ids, begun) select claim_id, 'test', now() + interval '1 hour', array[id], '[]' from jobs where id = $1`,
          [id],
        );
      return id;
    };
    const anHourAgo = Temporal.Now.instant().subtract({ hours: 1 }).round('millisecond').toString();
    const yesterday = Temporal.Now.instant().subtract({ hours: 30 }).round('millisecond').toString();

    it('today, and what waits for another attempt on the day of that', async () => {
      await cuebird.stopDeliveries();
      const running = await insertBegun({ name: 'Runs', status: 'running', due: anHourAgo, runAt: anHourAgo });
      const retried = `${dayIn(1)}T06:00:00.000Z`;
      const waits = await insertBegun({ name: 'Waits', status: 'pending', due: yesterday, runAt: retried }, [
        'accepted',
        'waiting',
        'waiting',
      ]);
      const late = { name: 'Is due', status: 'pending', due: yesterday, runAt: yesterday, isStarted: false } as const;
      await insertBegun(late);
      const shown = await agenda();
      expect(shown.data.map(({ day, occurrences }) => [day, occurrences])).toEqual([
        [dayIn(0), 2],
        [dayIn(1), 1],
      ]);
      expect(entriesIn(shown)).toMatchObject([
        { name: 'Is due', state: 'scheduled', waiting: null, due_at: new Date(yesterday).toISOString() },
        { id: running, job_id: running, name: 'Runs', state: 'running', waiting: null },
        {
          id: waits,
          name: 'Waits',
          state: 'waiting',
          waiting: 2,
          at: retried,
          due_at: new Date(yesterday).toISOString(),
        },
      ]);
      const { data: listed } = await call('GET', `/api/agenda/entries?day=${dayIn(0)}&limit=1`);
      expect(listed).toMatchObject([{ name: 'Is due' }]);
    });

    it('once, beside the next occurrences of its reminder, in its filters too', async () => {
      const { id: contact } = await call('POST', '/api/contacts', {
        name: 'Ann',
        email: 'ann@example.com',
        phone: null,
      });
      const recipients = ['ann@example.com'];
      const reminder = await remind({ name: 'Rent', content: { ...daily.content, recipients } });
      const before = countIn(await agenda());
      const retried = Temporal.Now.instant().add({ hours: 1 }).round('millisecond').toString();
      await insertBegun({ name: 'Rent', status: 'pending', due: anHourAgo, runAt: retried, reminder });
      const filters: Record<string, string>[] = [{}, { reminder }, { contact }, { channel: 'email' }];
      for (const filter of filters) {
        const shown = await agenda(filter);
        expect([filter, countIn(shown)]).toEqual([filter, before + 1]);
        expect(entriesIn(shown).filter(({ state }) => state === 'waiting')).toHaveLength(1);
      }
      expect(countIn(await agenda({ channel: 'sms' }))).toBe(0);
    });

    it.each([
      { next: 'before its time', minutes: -1 },
      { next: 'at its time', minutes: 0 },
      { next: 'after it', minutes: 1 },
    ])('once where it was sent early and is tried again $next, on the dashboard too', async ({ minutes }) => {
      const inAnHour = Temporal.Now.plainDateTimeISO('UTC').add({ hours: 1 }).toString({ smallestUnit: 'second' });
      const schedule = { ...daily.schedule_config, scheduleType: 'once', startDate: inAnHour };
      const reminder = await remind({ schedule_config: schedule });
      const { rows } = await database.query<{ id: string; run_at: string }>(
        `update jobs set run_at = scheduled_for + $2 * interval '1 minute', started_at = now(), attempts = 1
          where reminder_id = $1 returning id, run_at`,
        [reminder, minutes],
      );
      const once = rows.map(({ id, run_at: at }) => ({
        id,
        job_id: id,
        state: 'waiting',
        at: new Date(at).toISOString(),
      }));
      expect(entriesIn(await agenda())).toMatchObject(once);
      expect((await call('GET', '/api/dashboard/day')).upcoming).toMatchObject({ count: 1, next: once });
    });

    it('without tests of reminders, and without what has ended', async () => {
      const id = await insertBegun({ name: 'Ended', status: 'pending', due: anHourAgo, runAt: anHourAgo });
      await database.query(`update jobs set status = 'completed', completed_at = now() where id = $1`, [id]);
      const test = await insertBegun({ name: 'Test', status: 'pending', due: anHourAgo, runAt: anHourAgo });
      await database.query(`update jobs set type = 'test_reminder' where id = $1`, [test]);
      expect(countIn(await agenda())).toBe(0);
    });
  });

  it('uses the days of the caller’s zone', async () => {
    await insertJob({ name: 'Late', at: `${dayIn(2)}T18:20:00Z` });
    expect((await agenda()).data).toMatchObject([{ day: dayIn(2) }]);
    // 00:05 of the next day in Kathmandu, 5 h 45 min ahead.
    expect((await agenda({ timezone: 'Asia/Kathmandu' })).data).toMatchObject([{ day: dayIn(3) }]);
  });

  describe('filtered', () => {
    it('by reminder, group and channel shows what is of them, and names them', async () => {
      const rule = { match: 'all', conditions: [{ test: 'has_tag', tag: 'tenant' }] };
      const { id: group } = await call('POST', '/api/contact-groups', { name: 'Tenants', rule });
      const id = await remind({ name: 'Rent' });
      const content = { ...daily.content, recipients: [] };
      await remind({ name: 'Heating', content, metadata: { ...daily.metadata, audience: { groups: [group] } } });
      await remind({
        name: 'Code',
        content: { ...daily.content, recipients: ['+12025550123'] },
        metadata: { ...daily.metadata, channels: ['sms'] },
      });
      await insertJob({ name: 'By SMS', at: `${dayIn(1)}T10:00:00Z`, channels: ['sms'] });
      expect(namesIn(await agenda())).toEqual(['By SMS', 'Code', 'Heating', 'Rent']);
      expect(namesIn(await agenda({ reminder: id }))).toEqual(['Rent']);
      expect(namesIn(await agenda({ group }))).toEqual(['Heating']);
      expect(namesIn(await agenda({ channel: 'sms' }))).toEqual(['By SMS', 'Code']);
      expect((await agenda({ reminder: id, group })).names).toEqual({
        reminder: 'Rent',
        group: 'Tenants',
        contact: null,
      });
    });

    it('by person shows what goes to them: by a list, by an audience, by the API and by an event', async () => {
      const ann = { name: 'Ann', email: 'ann@example.com', phone: '+12025550123', tags: ['tenant'] };
      const { id: contact } = await call('POST', '/api/contacts', ann);
      const to = (...recipients: string[]) => ({ ...daily.content, recipients });
      await remind({ name: 'Listed', content: to('Ann <ANN@example.com>') });
      await remind({ name: 'Of others', content: to('ben@example.com') });
      const audience = { tags: ['Tenant'] };
      await remind({ name: 'Tagged', content: to(), metadata: { ...daily.metadata, audience } });
      await insertJob({ name: 'By the API', at: `${dayIn(1)}T10:00:00Z`, recipients: ['ann@example.com'] });
      await insertJob({ name: 'To others', at: `${dayIn(1)}T10:00:00Z` });
      const schedule_config = {
        type: 'event-based',
        eventTrigger: 'user_signup',
        delayAmount: 2,
        delayUnit: 'days',
        timezone: 'UTC',
      };
      await remind({ name: 'Welcome', content: to('ben@example.com'), schedule_config });
      await call('POST', '/api/events', { event: 'user_signup', recipients: ['ann@example.com'] });
      const shown = await agenda({ contact });
      expect(namesIn(shown)).toEqual(['By the API', 'Listed', 'Tagged', 'Welcome']);
      expect(shown).toMatchObject({ names: { contact: 'Ann' }, is_complete: true });
    });

    it.each(['reminder', 'group', 'contact'])('refuses a %s that the workspace does not have', async (field) => {
      const { status } = await dana.call('GET', `/api/agenda?${field}=01920000-0000-7000-8000-000000000000`, {
        workspace,
      });
      expect(status).toBe(404);
    });
  });

  describe('of one day', () => {
    const day = async (query: Record<string, string>) =>
      dana.call('GET', `/api/agenda/entries?${new URLSearchParams(query)}`, { workspace });

    it('lists six in the agenda, and all of them page by page', async () => {
      for (let n = 0; n < 5; n += 1) await remind({ name: `Reminder ${n}` });
      for (let n = 0; n < 6; n += 1)
        await insertJob({ name: `Message ${n}`, at: `${dayIn(2)}T0${8 + (n % 2)}:00:00Z` });
      const found = (await agenda()).data.find((one) => one.day === dayIn(2));
      expect([found?.occurrences, found?.entries.length]).toEqual([11, agendaLimits.listedOfDay]);
      const all: AgendaEntry[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const { json } = await day({ day: dayIn(2), limit: '4', ...(cursor !== '' && { cursor }) });
        expect(json.data.length).toBeLessThanOrEqual(4);
        all.push(...json.data);
        cursor = json.next_cursor;
      }
      expect(all).toHaveLength(11);
      expect(new Set(all.map(({ name }) => name)).size).toBe(11);
      expect(all.map(({ at }) => at)).toEqual(all.map(({ at }) => at).toSorted());
      expect(all.slice(0, agendaLimits.listedOfDay)).toEqual(found?.entries);
    });

    it('refuses other days, in plain words', async () => {
      for (const other of [dayIn(-1), dayIn(60)]) {
        const { status, json } = await day({ day: other });
        expect([status, json.error.fields]).toEqual([
          400,
          [{ path: 'day', message: 'must be one of the next 60 days' }],
        ]);
      }
    });
  });

  it('ends with the last whole day where there is more than it holds', async () => {
    const every = { type: 'scheduled', scheduleType: 'custom', customCron: '* * * * *', timezone: 'UTC' };
    await database.query(
      `insert into reminders (workspace_id, created_by, name, status, schedule_config, content, metadata)
       select $1, $2, 'Every minute', 'active', $3, $4, $5 from generate_series(1, 5)`,
      [workspace, dana.userId, every, sampleReminder.content, sampleReminder.metadata],
    );
    const shown = await agenda();
    expect(shown.is_complete).toBe(false);
    // 5 × 1,440 a day: 13 whole days beside a part of today.
    expect(countIn(shown)).toBeLessThanOrEqual(agendaLimits.occurrences);
    expect(shown.to).toBe(shown.data.at(-1)?.day);
    expect(shown.data.at(-1)?.occurrences).toBe(5 * 1_440);
    expect(shown.data.length).toBeGreaterThanOrEqual(13);
  });
});

const daily = {
  ...sampleReminder,
  name: 'Every day',
  status: 'active',
  schedule_config: { type: 'scheduled', scheduleType: 'daily', startDate: '2026-01-01T09:00:00', timezone: 'UTC' },
};
