import ICAL from 'ical.js';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { agendaLimits } from '#contract/agenda.ts';
import { calendarLimits } from '#contract/calendar-feeds.ts';
import { readCalendar } from '#features/calendar-feeds/read-calendar.service.ts';
import { openDatabase } from '#platform/database.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { addMember } from '#testing/owner.ts';
import { sampleReminder } from '#testing/samples.ts';

describe('a calendar feed', () => {
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

  const subscribe = async (shows: 'workspace' | 'own', person = dana): Promise<string> => {
    const { status, json } = await person.call('POST', '/api/calendar-feeds', { workspace, body: { shows } });
    expect(status).toBe(201);
    return json.url;
  };
  const feedsOf = async (person = dana) => (await person.call('GET', '/api/calendar-feeds', { workspace })).json.data;
  const statusOf = async (url: string) => (await fetch(url)).status;

  async function remind(of: object = {}, person = dana): Promise<string> {
    const { status, json } = await person.call('POST', '/api/reminders', { workspace, body: { ...daily, ...of } });
    expect(status).toBe(201);
    return json.id;
  }

  /** As a calendar reads it. */
  async function eventsAt(url: string) {
    const answer = await fetch(url);
    expect(answer.status).toBe(200);
    expect(answer.headers.get('content-type')).toBe('text/calendar; charset=utf-8');
    return eventsOf(await answer.text());
  }
  const namesAt = async (url: string) => [...new Set((await eventsAt(url)).map(({ summary }) => summary))].toSorted();

  it('has each time of each reminder, at the same hour on both sides of a clock change', async () => {
    const timezone = 'Europe/Berlin';
    const id = await remind({ schedule_config: { ...daily.schedule_config, timezone } });
    // Due long before the time at which it is read here.
    await database.query('delete from jobs where workspace_id = $1', [workspace]);
    const opened = openDatabase(cuebird.databaseUrl, { encryptionKey: TEST_ENCRYPTION_KEY });
    const ports = { db: opened.app, billing: 'off', url: () => 'https://cuebird.example/' } as const;
    const token = (await subscribe('workspace')).split('/').at(-1) ?? '';
    const answer = await readCalendar(
      { ...ports, now: () => Temporal.Instant.from('2027-03-01T12:00:00Z') },
      { token, hops: 0 },
    );
    await opened.close();
    const file = await answer.text();
    const events = eventsOf(file);
    // The days of the agenda: from that noon, the 1st of March of UTC and 59 more.
    expect(events).toHaveLength(agendaLimits.days - 1);
    const times = events.map(({ start }) => start.toISOString());
    expect(times).toContain('2027-03-27T08:00:00.000Z');
    expect(times).toContain('2027-03-28T07:00:00.000Z');
    const walls = events.map(({ start }) =>
      Temporal.Instant.from(start.toISOString()).toZonedDateTimeISO(timezone).toPlainTime().toString(),
    );
    expect(new Set(walls)).toEqual(new Set(['09:00:00']));
    // An instant: an end that is not later than its start is none (RFC 5545, section 3.8.2.2).
    expect(file).not.toContain('DTEND');
    expect(events[0]).toEqual({
      summary: 'Every day',
      uid: `${id}-${Date.parse('2027-03-02T08:00:00Z') / 1000}@cuebird`,
      start: new Date('2027-03-02T08:00:00Z'),
      description: 'Sent over email',
      url: `https://cuebird.example/reminders/${id}`,
    });
  });

  it('has one message where several wait for the same opening of the sending hours, as one is sent', async () => {
    const sendingHours = {
      enabled: true,
      days: [1, 2, 3, 4, 5, 6, 7],
      from: '09:00',
      to: '12:00',
      zone: 'workspace',
      timezone: 'UTC',
      channels: ['sms'],
    };
    await dana.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body: { settings: { sendingHours } } });
    const metadata = { ...sampleReminder.metadata, channels: ['sms'] };
    const content = { ...sampleReminder.content, recipients: ['+12025550123'] };
    const hourly = { type: 'scheduled', scheduleType: 'custom', customCron: '0 * * * *', timezone: 'UTC' };
    await remind({ metadata, content, schedule_config: hourly });
    const events = await eventsAt(await subscribe('workspace'));
    expect(new Set(events.map(({ uid }) => uid)).size).toBe(events.length);
    const hours = new Set(events.map(({ start }) => start.getUTCHours()));
    expect([...hours].toSorted((a, b) => a - b)).toEqual([9, 10, 11]);
  });

  it('keeps the UID of a message that begins: of a reminder’s occurrence, and of a job of an event', async () => {
    const inAnHour = Temporal.Now.plainDateTimeISO('UTC').add({ hours: 1 }).toString({ smallestUnit: 'second' });
    const schedule = { ...daily.schedule_config, scheduleType: 'once', startDate: inAnHour };
    await remind({ name: 'Once', schedule_config: schedule });
    await remind({ name: 'Welcome', schedule_config: afterSignUp });
    await dana.call('POST', '/api/events', { workspace, body: { event: 'user_signup' } });
    const url = await subscribe('workspace');
    const scheduled = await eventsAt(url);
    expect(scheduled.map(({ description }) => description)).toEqual(['Sent over email', 'Sent over email']);
    await database.query(
      `update jobs set run_at = scheduled_for + interval '1 minute', started_at = now(), attempts = 1 where workspace_id = $1`,
      [workspace],
    );
    const begun = await eventsAt(url);
    expect(begun.map(({ description }) => description)).toEqual([waits, waits]);
    expect(begun.map(({ uid }) => uid)).toEqual(scheduled.map(({ uid }) => uid));
    expect(begun.map(({ start }) => start.getTime())).toEqual(scheduled.map(({ start }) => start.getTime() + 60_000));
  });

  it('leaves out what is cancelled, paused, a draft or deleted', async () => {
    const url = await subscribe('workspace');
    const cancelled = await remind({ name: 'Cancelled' });
    await remind({ name: 'Draft', status: 'draft' });
    const paused = await remind({ name: 'Paused' });
    const deleted = await remind({ name: 'Deleted' });
    const before = await eventsAt(url);
    expect(new Set(before.map(({ summary }) => summary))).toEqual(new Set(['Cancelled', 'Paused', 'Deleted']));
    const { json: jobs } = await dana.call('GET', `/api/jobs?reminder_id=${cancelled}`, { workspace });
    await dana.call('POST', `/api/jobs/${jobs.data[0].id}/cancel`, { workspace });
    await dana.call('PATCH', `/api/reminders/${paused}`, { workspace, body: { status: 'paused' } });
    await dana.call('DELETE', `/api/reminders/${deleted}`, { workspace });
    const after = await eventsAt(url);
    const times = (events: typeof before, name: string) => events.filter(({ summary }) => summary === name).length;
    expect(times(after, 'Cancelled')).toBe(times(before, 'Cancelled') - 1);
    expect(await namesAt(url)).toEqual(['Cancelled']);
  });

  it('shows all reminders, or those of its person alone', async () => {
    const erin = await cuebird.signUp('Erin');
    await addMember(database, { workspace, userId: erin.userId, role: 'member' });
    await remind({ name: 'Of Dana' });
    await remind({ name: 'Of Erin' }, erin);
    expect(await namesAt(await subscribe('workspace', erin))).toEqual(['Of Dana', 'Of Erin']);
    expect(await namesAt(await subscribe('own', erin))).toEqual(['Of Erin']);
  });

  it('is at one address, which ends with the next one, with the feed and with the membership', async () => {
    const erin = await cuebird.signUp('Erin');
    await addMember(database, { workspace, userId: erin.userId, role: 'member' });
    const [first, second] = [await subscribe('workspace', erin), await subscribe('workspace', erin)];
    expect([await statusOf(first), await statusOf(second)]).toEqual([404, 200]);
    const [feed] = await feedsOf(erin);
    expect(feed).toEqual({
      id: feed.id,
      shows: 'workspace',
      created_at: feed.created_at,
      last_read_at: expect.any(String),
    });
    // Nobody ends another member's.
    expect((await dana.call('DELETE', `/api/calendar-feeds/${feed.id}`, { workspace })).status).toBe(404);
    expect((await erin.call('DELETE', `/api/calendar-feeds/${feed.id}`, { workspace })).status).toBe(200);
    expect(await statusOf(second)).toBe(404);
    const third = await subscribe('own', erin);
    await erin.call('POST', `/api/workspaces/${workspace}/leave`, { workspace });
    expect(await statusOf(third)).toBe(404);
  });

  it('answers nobody who guesses', async () => {
    const erin = await cuebird.signUp('Erin');
    await addMember(database, { workspace, userId: erin.userId, role: 'member' });
    const url = await subscribe('workspace', erin);
    const altered = url.replace(/.\.ics$/, (end) => `${end.startsWith('A') ? 'B' : 'A'}.ics`);
    const other = url.replace(/calendar\/./, (start) => (start.endsWith('A') ? 'calendar/B' : 'calendar/A'));
    for (const guess of [
      altered,
      other,
      `${cuebird.url}/api/calendar/none.ics`,
      `${cuebird.url}/api/calendar/${'%00'.repeat(20)}`,
    ])
      expect(await statusOf(guess)).toBe(404);
    await database.query('update profiles set suspended_at = now() where id = $1', [erin.userId]);
    expect(await statusOf(url)).toBe(404);
    await database.query('update profiles set suspended_at = null where id = $1', [erin.userId]);
    expect(await statusOf(url)).toBe(200);
  });

  it('holds what an event has scheduled, and makes no header of a name', async () => {
    const name = 'Welcome\r\nATTENDEE:mailto:eve@example.com; it, is \\ here';
    await remind({
      name: 'Welcome',
      schedule_config: afterSignUp,
    });
    await dana.call('POST', '/api/events', { workspace, body: { event: 'user_signup' } });
    await database.query('update jobs set name = $2 where workspace_id = $1', [workspace, name]);
    const [event, ...others] = await eventsAt(await subscribe('workspace'));
    expect(others).toEqual([]);
    expect(event?.summary.replaceAll('\r', '')).toBe(name.replaceAll('\r', ''));
    expect(Math.round(((event?.start.getTime() ?? 0) - Date.now()) / 3_600_000)).toBe(48);
  });

  it('is bounded, whatever a workspace holds', async () => {
    const every = { type: 'scheduled', scheduleType: 'custom', customCron: '* * * * *', timezone: 'UTC' };
    await database.query(
      `insert into reminders (workspace_id, created_by, name, status, schedule_config, content, metadata)
       select $1, $2, repeat('n', 96) || i, 'active', $3, $4, $5 from generate_series(1, 700) as i`,
      [workspace, dana.userId, every, sampleReminder.content, sampleReminder.metadata],
    );
    const events = await eventsAt(await subscribe('workspace'));
    expect(events).toHaveLength(calendarLimits.messages);
  });
});

function eventsOf(file: string) {
  const calendar = new ICAL.Component(ICAL.parse(file));
  return calendar.getAllSubcomponents('vevent').map((event) => {
    const { summary, uid, startDate, description } = new ICAL.Event(event);
    return { summary, uid, start: startDate.toJSDate(), description, url: event.getFirstPropertyValue('url') };
  });
}

const daily = {
  ...sampleReminder,
  name: 'Every day',
  status: 'active',
  schedule_config: { type: 'scheduled', scheduleType: 'daily', startDate: '2026-01-01T09:00:00', timezone: 'UTC' },
};

const afterSignUp = {
  type: 'event-based',
  eventTrigger: 'user_signup',
  delayAmount: 2,
  delayUnit: 'days',
  timezone: 'UTC',
};

const waits = 'Sent over email. Has begun, and waits for another attempt';
