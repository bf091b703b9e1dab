import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server, type ServerResponse } from 'node:http';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type CalendarSource, calendarSourceLimits as limits } from '#contract/calendar-sources.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { addMember } from '#testing/owner.ts';
import { sampleReminder } from '#testing/samples.ts';

/** A day so many days from now, as `20270101`. */
const day = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10).replaceAll('-', '');

const event = (uid: string, lines: readonly string[]) => ['BEGIN:VEVENT', `UID:${uid}`, ...lines, 'END:VEVENT'];
const calendar = (...events: string[][]) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', ...events.flat(), 'END:VCALENDAR'].join('\r\n');

const dentist = (at = `${day(10)}T090000Z`, ...more: string[]) =>
  event('dentist', [`DTSTART:${at}`, 'SUMMARY:Dentist', 'LOCATION:Elm Street 1', ...more]);
const choir = (...more: string[]) =>
  event('choir', [`DTSTART:${day(20)}T180000Z`, 'RRULE:FREQ=WEEKLY;COUNT=3', 'SUMMARY:Choir', ...more]);

const rules = { timezone: 'UTC', offsets: [{ amount: 1, unit: 'days' }], all_day_time: '09:00' };

describe('a calendar that is read', () => {
  let cuebird: TestCuebird;
  let database: Client;
  let dana: TestPerson;
  let workspace: string;
  let server: Server;
  let url: string;
  /** How the server answers now, and what it was asked. */
  let answer: (response: ServerResponse) => void;
  let asked: { path: string; headers: IncomingHttpHeaders }[];

  beforeAll(async () => {
    cuebird = await startTestCuebird();
    database = cuebird.owner;
    dana = await cuebird.signUp('Dana');
    server = createServer((request, response) => {
      asked.push({ path: request.url ?? '', headers: request.headers });
      answer(response);
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const address = server.address();
    if (address === null || typeof address === 'string') throw new Error('not listening');
    url = `http://127.0.0.1:${address.port}/team.ics?secret=s3cret`;
  });
  beforeEach(async () => {
    asked = [];
    answer = (response) => response.end(calendar(dentist(), choir()));
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(async () => {
    server.close();
    await cuebird.stop();
  });

  const add = async (changes: object = {}): Promise<CalendarSource> => {
    const body = {
      name: 'Team',
      ...rules,
      url,
      content: {
        subject: '{{event.title}}',
        message: '{{event.title}} on {{event.start}} at {{event.location}}',
        recipients: ['erin@example.com'],
      },
      metadata: { channels: ['email'] },
      ...changes,
    };
    const { status, json } = await dana.call('POST', '/api/calendar-sources', { workspace, body });
    expect(status, JSON.stringify(json)).toBe(201);
    return json;
  };
  const addFile = (text: string) => add({ url: undefined, file: { name: 'team.ics', text } });
  const importAgain = async (id: string, text: string): Promise<CalendarSource> => {
    const body = { name: 'Team', ...rules, file: { name: 'team.ics', text } };
    const { status, json } = await dana.call('PUT', `/api/calendar-sources/${id}`, { workspace, body });
    expect(status, JSON.stringify(json)).toBe(200);
    return json;
  };
  const readNow = async (id: string): Promise<CalendarSource> =>
    (await dana.call('POST', `/api/calendar-sources/${id}/read`, { workspace })).json;
  const jobs = async () => {
    const { rows } = await database.query(
      `select j.id, j.name, j.status, j.scheduled_for, j.error_message, p.payload->'data' as data
         from jobs j left join event_payloads p on p.event_id = j.event_id
        where j.workspace_id = $1 order by j.scheduled_for, j.id`,
      [workspace],
    );
    return rows.map((row) => ({ ...row, scheduled_for: new Date(row.scheduled_for).toISOString() }));
  };
  const shown = async () => (await jobs()).map(({ name, status, scheduled_for: at }) => `${at} ${name} ${status}`);
  /** The time of a message the day before. */
  const before = (days: number, time: string) => {
    const text = day(days - 1);
    return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}T${time}:00.000Z`;
  };

  it('schedules a message before each event, with its words, as jobs of one reminder', async () => {
    const source = await add();
    expect(source).toMatchObject({ name: 'Team', host: new URL(url).host, scheduled: 4, failure: null, left_out: [] });
    expect(source.next_at).toBe(before(10, '09:00'));
    expect(await shown()).toEqual([
      `${before(10, '09:00')} Dentist pending`,
      `${before(20, '18:00')} Choir pending`,
      `${before(27, '18:00')} Choir pending`,
      `${before(34, '18:00')} Choir pending`,
    ]);
    const [job] = await jobs();
    expect(job?.data).toMatchObject({
      'event.title': 'Dentist',
      'event.location': 'Elm Street 1',
      'event.time': '09:00',
    });
    const { json } = await dana.call('GET', `/api/reminders/${source.reminder.id}`, { workspace });
    expect(json).toMatchObject({ name: 'Team', status: 'active', warnings: [] });
  });

  it('changes nothing the second time, also with moved and cancelled events', async () => {
    const source = await addFile(calendar(dentist(), choir()));
    const first = await jobs();
    const changed = calendar(
      dentist(`${day(12)}T100000Z`),
      choir(`EXDATE:${day(27)}T180000Z`),
      event('choir', [`RECURRENCE-ID:${day(34)}T180000Z`, `DTSTART:${day(34)}T180000Z`, 'STATUS:CANCELLED']),
    );
    await importAgain(source.id, changed);
    expect(await shown()).toEqual([
      `${before(12, '10:00')} Dentist pending`,
      `${before(20, '18:00')} Choir pending`,
      `${before(27, '18:00')} Choir cancelled`,
      `${before(34, '18:00')} Choir cancelled`,
    ]);
    const second = await jobs();
    // Moved and cancelled, not made again.
    expect(new Set(second.map(({ id }) => id))).toEqual(new Set(first.map(({ id }) => id)));
    expect(second[3]?.error_message).toBe('Its calendar no longer has this event at this time');
    const rowsNow = () =>
      database
        .query(
          `select to_jsonb(j) as job, to_jsonb(e) as event, p.payload from jobs j
             join events e on e.id = j.event_id join event_payloads p on p.event_id = e.id
            where j.workspace_id = $1 order by j.id`,
          [workspace],
        )
        .then(({ rows }) => rows);
    const stored = await rowsNow();
    await importAgain(source.id, changed);
    expect(await rowsNow()).toEqual(stored);
    expect(await readNow(source.id)).toMatchObject({ scheduled: 2, failure: null });
    expect(await rowsNow()).toEqual(stored);
    // What comes back takes its job again.
    await importAgain(source.id, calendar(dentist(), choir()));
    expect((await jobs()).map(({ id, name, status, scheduled_for: at }) => ({ id, name, status, at }))).toEqual(
      first.map(({ id, name, status, scheduled_for: at }) => ({ id, name, status, at })),
    );
  });

  it('keeps what somebody cancelled, and what was sent; an event that moves after its message is sent again', async () => {
    const source = await addFile(calendar(dentist(), choir()));
    const [sent, cancelled] = await jobs();
    await database.query("update jobs set status = 'completed', attempts = 1, completed_at = now() where id = $1", [
      sent?.id,
    ]);
    await dana.call('POST', `/api/jobs/${cancelled?.id}/cancel`, { workspace });
    await importAgain(source.id, calendar(dentist(), choir()));
    expect((await shown()).slice(0, 2)).toEqual([
      `${before(10, '09:00')} Dentist completed`,
      `${before(20, '18:00')} Choir cancelled`,
    ]);
    await importAgain(source.id, calendar(dentist(`${day(15)}T090000Z`), choir()));
    const moved = [`${before(10, '09:00')} Dentist completed`, `${before(15, '09:00')} Dentist pending`];
    expect((await shown()).slice(0, 2)).toEqual(moved);
    await importAgain(source.id, calendar(dentist(`${day(15)}T090000Z`), choir()));
    expect((await shown()).slice(0, 2)).toEqual(moved);
    await importAgain(source.id, calendar(choir()));
    expect((await shown()).slice(0, 2)).toEqual([moved[0], `${before(15, '09:00')} Dentist cancelled`]);
  });

  it('is paused with its reminder, and what is read meanwhile waits too', async () => {
    const source = await addFile(calendar(dentist()));
    const path = `/api/reminders/${source.reminder.id}`;
    await dana.call('PATCH', path, { workspace, body: { status: 'paused' } });
    await importAgain(source.id, calendar(dentist(), choir()));
    expect((await jobs()).map(({ status }) => status)).toEqual(['paused', 'paused', 'paused', 'paused']);
    await dana.call('PATCH', path, { workspace, body: { status: 'active' } });
    expect((await jobs()).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending', 'pending']);
  });

  it('lets the text of its reminder be edited, not when it is sent; a copy has no calendar', async () => {
    const source = await addFile(calendar(dentist()));
    const path = `/api/reminders/${source.reminder.id}`;
    const { json: reminder } = await dana.call('GET', path, { workspace });
    const { name, description, status, schedule_config: schedule, content, metadata } = reminder;
    const body = { name, description, status, schedule_config: schedule, content, metadata };
    const edited = { ...body, content: { ...content, message: 'Do not forget {{event.title}}' } };
    expect((await dana.call('PUT', path, { workspace, body: edited })).status).toBe(200);
    expect(await shown()).toEqual([`${before(10, '09:00')} Dentist pending`]);
    const daily = { type: 'scheduled', scheduleType: 'daily', startDate: '2026-01-01T09:00:00', timezone: 'UTC' };
    const refused = await dana.call('PUT', path, { workspace, body: { ...body, schedule_config: daily } });
    expect(refused).toMatchObject({ status: 422, json: { error: { fields: [{ path: 'schedule_config' }] } } });
    const made = await dana.call('POST', '/api/reminders', { workspace, body });
    expect(made).toMatchObject({
      status: 422,
      json: { error: { fields: [{ path: 'schedule_config.eventTrigger' }] } },
    });
    const { json: copy } = await dana.call('POST', `${path}/duplicate`, { workspace });
    expect(copy).toMatchObject({ status: 'draft', schedule_config: { type: 'event-based' } });
    expect(copy.schedule_config.eventTrigger).toBeUndefined();
    const { json: fired } = await dana.call('POST', '/api/events', { workspace, body: { event: 'calendar_event' } });
    expect(fired.jobs).toEqual([]);
  });

  it('is shown before it is kept: the next ten messages, and what is left out', async () => {
    answer = (response) =>
      response.end(
        calendar(
          event('many', [`DTSTART:${day(3)}T090000Z`, 'RRULE:FREQ=DAILY;COUNT=20', 'SUMMARY:Daily']),
          event('today', [`DTSTART:${day(1)}T000000Z`, 'SUMMARY:Tomorrow']),
        ),
      );
    const preview = (body: object) => dana.call('POST', '/api/calendar-sources/preview', { workspace, body });
    const { status, json } = await preview({ ...rules, url });
    expect(status).toBe(200);
    expect(json).toMatchObject({
      count: 20,
      left_out: [{ reason: 'Its message was due before now', count: 1, titles: ['Tomorrow'] }],
    });
    expect(json.messages).toHaveLength(limits.previewed);
    expect(json.messages[0]).toMatchObject({ at: before(3, '09:00'), title: 'Daily' });
    expect(await jobs()).toEqual([]);
    answer = (response) => response.writeHead(404).end();
    expect(await preview({ ...rules, url })).toMatchObject({
      status: 422,
      json: { error: { fields: [{ path: 'url', message: 'The server has no calendar at this address (404).' }] } },
    });
    expect(await preview({ ...rules, file: { name: 'a', text: 'nothing' } })).toMatchObject({
      status: 422,
      json: { error: { fields: [{ path: 'file' }] } },
    });
    expect(await preview(rules)).toMatchObject({ status: 400 });
    expect((await preview({ ...rules, url: 'ftp://example.com/a.ics' })).status).toBe(400);
  });

  it('holds no slot of costly requests while its server drips', async () => {
    const responses: ServerResponse[] = [];
    answer = (response) => responses.push(response);
    const people = await Promise.all(['Ann', 'Ben', 'Cem'].map((name) => cuebird.signUp(name)));
    const previews = people.map(async (person) => {
      const own = await person.createWorkspace(`The workspace of ${person.userId}`);
      const preview = () =>
        person.call('POST', '/api/calendar-sources/preview', { workspace: own, body: { ...rules, url } });
      return Promise.all([preview(), preview()]);
    });
    await expect.poll(() => responses.length).toBe(6);
    expect((await dana.call('GET', '/api/contact-groups/counts', { workspace })).status).toBe(200);
    for (const response of responses) response.end(calendar(dentist()));
    for (const [first, second] of await Promise.all(previews))
      expect([first?.status, second?.status]).toEqual([200, 200]);
  });

  it('asks whether it has changed, and keeps what is scheduled while it fails', async () => {
    answer = (response) => response.writeHead(200, { etag: '"v1"' }).end(calendar(dentist()));
    const source = await add();
    answer = (response) => response.writeHead(304).end();
    expect(await readNow(source.id)).toMatchObject({ scheduled: 1, failure: null });
    expect(asked.at(-1)?.headers['if-none-match']).toBe('"v1"');
    // A day later the days ahead are others: it is read whole.
    await database.query("update calendar_sources set last_parsed_at = now() - interval '25 hours' where id = $1", [
      source.id,
    ]);
    answer = (response) => response.writeHead(500).end('oops');
    const failing = await readNow(source.id);
    expect(asked.at(-1)?.headers['if-none-match']).toBeUndefined();
    expect(failing).toMatchObject({ scheduled: 1, failure: 'The server answered 500.' });
    expect(failing.failing_since).not.toBeNull();
    const waits = [Date.parse(failing.next_read_at) - Date.now()];
    waits.push(Date.parse((await readNow(source.id)).next_read_at) - Date.now());
    expect(waits.map((ms) => Math.round(ms / 3_600_000))).toEqual([1, 2]);
    answer = (response) => response.end(calendar(dentist()));
    expect(await readNow(source.id)).toMatchObject({ failure: null, failing_since: null });
  });

  it('follows redirects through the guard, three at most, and reads no more than 5 MB', async () => {
    const to = (location: string) => {
      answer = (response) => response.writeHead(302, { location }).end();
    };
    const failureAt = async () => (await add()).failure;
    to('http://10.0.0.1/internal.ics');
    expect(await failureAt()).toMatch(/10\.0\.0\.1 is .* which Cuebird does not connect to/);
    to('/again');
    expect(await failureAt()).toBe('The server leads to another address more than 3 times.');
    expect(asked.filter(({ path }) => path === '/again')).toHaveLength(3);
    answer = (response) => response.end(`BEGIN:VCALENDAR\r\n${'X-A:a\r\n'.repeat(900_000)}`);
    expect(await failureAt()).toBe('The calendar is larger than 5 MB, or its end did not arrive.');
    answer = (response) => response.destroy();
    expect(await failureAt()).toMatch(/^The connection was lost/);
  });

  it('is read by a worker when it is due, and never says its address again', async () => {
    const source = await add();
    answer = (response) => response.end(calendar(dentist()));
    const { json } = await dana.call('GET', '/api/calendar-sources', { workspace });
    expect(JSON.stringify(json)).not.toContain('s3cret');
    const { rows } = await database.query('select sealed_url from calendar_sources where id = $1', [source.id]);
    expect(rows[0].sealed_url).toMatch(/^v1\./);
    await database.query("update calendar_sources set next_read_at = now() - interval '1 minute' where id = $1", [
      source.id,
    ]);
    // It looks as soon as it starts, and then every half a minute.
    const worker = await startTestCuebird({ database: { url: cuebird.databaseUrl, drop: async () => {} } });
    await expect
      .poll(async () => (await dana.call('GET', '/api/calendar-sources', { workspace })).json.data[0].scheduled)
      .toBe(1);
    await worker.stop();
  });

  it('that is the own feed reads what reminders send, and never its own messages, which others who read that feed see', async () => {
    const { json: feed } = await dana.call('POST', '/api/calendar-feeds', { workspace, body: { shows: 'workspace' } });
    // Calendars of tests are read from this address of the machine only.
    const address = new URL(feed.url);
    address.hostname = '127.0.0.1';
    await addFile(calendar(dentist()));
    const once = { type: 'scheduled', scheduleType: 'once', startDate: `${before(12, '09:00')}`, timezone: 'UTC' };
    const rent = { ...sampleReminder, name: 'Rent', status: 'active', schedule_config: once };
    expect((await dana.call('POST', '/api/reminders', { workspace, body: rent })).status).toBe(201);
    const shownIn = async (headers: Record<string, string>) =>
      [...(await (await fetch(address, { headers })).text()).matchAll(/SUMMARY:(.*)\r/g)].map(([, name]) => name);
    expect(await shownIn({})).toEqual(['Dentist', 'Rent']);
    await add({ url: address.href });
    expect(await shown()).toEqual([
      `${before(10, '09:00')} Dentist pending`,
      `${before(11, '09:00')} Rent pending`,
      `${before(12, '09:00')} Rent pending`,
    ]);
  });

  it('is removed with its reminder, or without it', async () => {
    const [first, second] = [await addFile(calendar(dentist())), await addFile(calendar(choir()))];
    const remove = (id: string, reminder: string) =>
      dana.call('DELETE', `/api/calendar-sources/${id}?reminder=${reminder}`, { workspace });
    expect((await remove(first.id, 'delete')).status).toBe(200);
    expect((await shown()).some((text) => text.includes('Dentist'))).toBe(false);
    expect((await remove(second.id, 'keep')).status).toBe(200);
    expect(await shown()).toHaveLength(3);
    expect((await dana.call('GET', '/api/calendar-sources', { workspace })).json.data).toEqual([]);
    expect((await remove(second.id, 'keep')).status).toBe(404);
    // Nobody decides any more when the reminder is sent.
    const { json } = await dana.call('GET', `/api/reminders/${second.reminder.id}`, { workspace });
    const { name, description, content, metadata } = json;
    const daily = { type: 'scheduled', scheduleType: 'daily', startDate: '2026-01-01T09:00:00', timezone: 'UTC' };
    const body = { name, description, status: 'draft', content, metadata, schedule_config: daily };
    expect((await dana.call('PUT', `/api/reminders/${json.id}`, { workspace, body })).status).toBe(200);
  });

  it('goes with its deleted reminder, and comes back with it', async () => {
    const source = await addFile(calendar(dentist()));
    await dana.call('DELETE', `/api/reminders/${source.reminder.id}`, { workspace });
    const list = async () => (await dana.call('GET', '/api/calendar-sources', { workspace })).json.data;
    expect(await list()).toEqual([]);
    await dana.call('POST', '/api/reminders/restore', { workspace, body: { ids: [source.reminder.id] } });
    expect(await list()).toMatchObject([{ id: source.id, scheduled: 1 }]);
  });

  it('is added by owners and admins, at most 20 times', async () => {
    const erin = await cuebird.signUp('Erin');
    await addMember(database, { workspace, userId: erin.userId, role: 'member' });
    const { id } = await addFile(calendar(dentist()));
    expect((await erin.call('GET', '/api/calendar-sources', { workspace })).json.data).toHaveLength(1);
    expect(
      (await erin.call('POST', '/api/calendar-sources/preview', { workspace, body: { ...rules, url } })).status,
    ).toBe(403);
    // All but the last one, whose file is read in a thread like that of the first.
    await database.query(
      `with source as (select * from calendar_sources where id = $1),
            copies as (
              insert into reminders (workspace_id, name, status, schedule_config, content, metadata)
              select workspace_id, name, status, schedule_config, content, metadata
                from reminders, generate_series(3, $2::int)
               where id = (select reminder_id from source)
              returning id)
       insert into calendar_sources (workspace_id, reminder_id, name, file, file_name, offsets, all_day_time, next_read_at, created_at)
       select workspace_id, copies.id, name, file, file_name, offsets, all_day_time, next_read_at, created_at from source, copies`,
      [id, limits.sources],
    );
    await addFile(calendar(dentist()));
    const body = {
      name: 'One more',
      ...rules,
      url,
      content: { subject: 's', message: 'm', recipients: ['a@example.com'] },
      metadata: { channels: ['email'] },
    };
    expect((await dana.call('POST', '/api/calendar-sources', { workspace, body })).status).toBe(409);
  });
});
