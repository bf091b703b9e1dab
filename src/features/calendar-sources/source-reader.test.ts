import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CalendarSourceInput } from '#contract/calendar-sources.ts';
import { createSource } from '#features/calendar-sources/calendar-sources.service.ts';
import { messagesIn } from '#features/calendar-sources/ics/messages.ts';
import { type SourceReader, startSourceReader } from '#features/calendar-sources/source-reader.service.ts';
import { createLog } from '#platform/log.ts';
import type { HttpAnswer } from '#platform/outbound/http.ts';
import { createSecretBox } from '#platform/secrets.ts';
import { TEST_ENCRYPTION_KEY } from '#testing/database.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace } from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';

const weekly = [
  'BEGIN:VCALENDAR',
  'VERSION:2.0',
  'BEGIN:VEVENT',
  'UID:choir',
  'DTSTART;TZID=Europe/Berlin:20260322T090000',
  'RRULE:FREQ=WEEKLY;COUNT=3',
  'SUMMARY:Choir',
  'END:VEVENT',
  'END:VCALENDAR',
].join('\r\n');

describe('the reading of calendars', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let readers: SourceReader[];
  let mails: { to: string; subject: string; text: string }[];
  let asked: string[];
  let answer: (url: string) => HttpAnswer | Promise<HttpAnswer>;
  const ok = (body: string): HttpAnswer => ({ kind: 'answer', status: 200, headers: {}, body, isComplete: true });

  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-20T08:00:00Z');
    workspace = await fixture.createWorkspace();
    [readers, mails, asked] = [[], [], []];
    answer = () => ok(weekly);
  });
  afterEach(async () => {
    await Promise.all(readers.map((reader) => reader.stop()));
    await fixture.close();
  });

  const ports = () => ({
    db: fixture.database.app,
    secrets: createSecretBox(TEST_ENCRYPTION_KEY),
    http: {
      request: async ({ url }: { url: string }) => {
        asked.push(url);
        return answer(url);
      },
      close: async () => {},
    },
    readIcs: async (task: Parameters<typeof messagesIn>[0]) => messagesIn(task),
  });
  const start = () =>
    readers.push(
      startSourceReader({
        ...ports(),
        pool: fixture.database.engine,
        clock: fixture.clock,
        log: createLog('silent'),
        url: 'https://cuebird.example.com',
        sendMail: async (mail) => {
          mails.push(mail);
          return true;
        },
      }),
    );
  const addCalendar = (of = workspace, url = 'webcal://calendar.example.com/choir.ics') =>
    fixture.inWorkspace(of, async (ctx) => {
      const input = CalendarSourceInput.parse({
        name: 'Choir dates',
        timezone: 'Europe/Berlin',
        offsets: [{ amount: 1, unit: 'days' }],
        all_day_time: '09:00',
        url,
        content: {
          subject: '{{event.title}}',
          message: '{{event.title}} on {{event.start}}, {{event.location}}',
          recipients: ['https://hooks.example.com/a'],
        },
        metadata: { channels: ['webhook'] },
      });
      await createSource(ctx, { input, ports: { ...ports(), now: fixture.clock.now, notifyOwners: null } });
    });
  const source = async () => {
    const { rows } = await fixture.database.engine.query('select id, next_read_at from calendar_sources');
    return rows[0];
  };
  /** Advances the clock, and waits until the readers and the engine sleep again. */
  async function pass(duration: object, sleepers: number): Promise<void> {
    fixture.clock.advance(duration);
    await fixture.clock.untilAsleep(sleepers);
  }

  it('sends each message at the hour of its event, on both sides of a clock change', async () => {
    await addCalendar();
    start();
    const jobs = await fixture.jobsWhere(workspace, (found) => found.length === 3);
    expect(jobs.map(({ scheduled_for: at, name }) => `${at} ${name}`)).toEqual([
      '2026-03-21T08:00:00.000Z Choir',
      '2026-03-28T08:00:00.000Z Choir',
      '2026-04-04T07:00:00.000Z Choir',
    ]);
    await fixture.start();
    for (const days of [1, 7, 7]) {
      fixture.clock.advance({ hours: days * 24 });
      const done = fixture.requests.length + 1;
      await fixture.jobsWhere(
        workspace,
        (found) => found.filter(({ status }) => status === 'completed').length === done,
      );
    }
    expect(fixture.messages().map(({ message }) => message)).toEqual([
      'Choir on Sunday 22 March 2026 at 09:00, —',
      'Choir on Sunday 29 March 2026 at 09:00, —',
      'Choir on Sunday 5 April 2026 at 09:00, —',
    ]);
  });

  it('reads a calendar every hour, by one of several workers', async () => {
    await addCalendar();
    start();
    start();
    await fixture.clock.untilAsleep(2);
    expect(asked).toEqual(['https://calendar.example.com/choir.ics']);
    await pass({ minutes: 59 }, 2);
    expect(asked).toHaveLength(1);
    await pass({ minutes: 1 }, 2);
    expect(asked).toHaveLength(2);
    expect((await fixture.jobs(workspace)).map(({ status }) => status)).toEqual(['pending', 'pending', 'pending']);
  });

  it('tries less often while it fails, keeps what is scheduled, and tells the owners once after three days', async () => {
    await addCalendar();
    start();
    await fixture.clock.untilAsleep(1);
    answer = () => ({ kind: 'not_sent', reason: 'connection refused' });
    for (let hour = 0; hour < 72; hour += 1) await pass({ hours: 1 }, 1);
    expect(asked.length).toBeLessThan(14);
    expect(mails).toEqual([]);
    for (let hour = 0; hour < 48; hour += 1) await pass({ hours: 1 }, 1);
    expect(mails).toEqual([
      expect.objectContaining({
        to: `${workspace.userId}@example.com`,
        subject: 'The calendar Choir dates cannot be read',
      }),
    ]);
    expect(mails[0]?.text).toContain('connection refused');
    // The first one fell due meanwhile; no engine runs here.
    expect(await fixture.jobs(workspace)).toHaveLength(3);
    answer = () => ok(weekly);
    for (let hour = 0; hour < 12; hour += 1) await pass({ hours: 1 }, 1);
    expect((await source()).next_read_at > fixture.clock.now().toString()).toBe(true);
    expect(mails).toHaveLength(1);
  });

  it('reads the calendars of others while the server of one workspace drips', async () => {
    const dripping = Promise.withResolvers<HttpAnswer>();
    const neighbour = await fixture.createWorkspace();
    answer = (url) => (url.includes('drips') ? dripping.promise : ok(weekly));
    for (const path of ['a', 'b', 'c']) await addCalendar(workspace, `https://drips.example.com/${path}.ics`);
    await addCalendar(neighbour, 'https://calendar.example.com/choir.ics');
    start();
    const jobs = await fixture.jobsWhere(neighbour, (found) => found.length === 3);
    expect(jobs.map(({ name }) => name)).toEqual(['Choir', 'Choir', 'Choir']);
    await expect
      .poll(() => asked.map((url) => new URL(url).host).toSorted())
      .toEqual(['calendar.example.com', 'drips.example.com']);
    dripping.resolve({ kind: 'lost', reason: 'no answer in time' });
    await fixture.clock.untilAsleep(1);
    expect(asked).toHaveLength(4);
  });

  it('reads the calendars of others while all workspaces of one owner drip', async () => {
    const dripping = Promise.withResolvers<HttpAnswer>();
    answer = (url) => (url.includes('drips') ? dripping.promise : ok(weekly));
    const many = await Promise.all(Array.from({ length: 8 }, () => fixture.createWorkspace()));
    for (const of of many) await addCalendar(of, 'https://drips.example.com/a.ics');
    const owner = await connectOwner(fixture.databaseUrl);
    await owner.query('update workspace_members set user_id = $1 where workspace_id = any ($2)', [
      many[0]?.userId,
      many.map(({ workspaceId }) => workspaceId),
    ]);
    await owner.end();
    await addCalendar(workspace, 'https://calendar.example.com/choir.ics');
    start();
    await fixture.jobsWhere(workspace, (found) => found.length === 3);
    await expect.poll(() => asked.filter((url) => url.includes('drips'))).toHaveLength(2);
    dripping.resolve({ kind: 'lost', reason: 'no answer in time' });
    await fixture.clock.untilAsleep(1);
    expect(asked.filter((url) => url.includes('drips'))).toHaveLength(8);
  });

  it('keeps readers for calendars that have not failed', async () => {
    const failing = await Promise.all(Array.from({ length: 5 }, () => fixture.createWorkspace()));
    for (const of of failing) await addCalendar(of, 'https://fails.example.com/a.ics');
    let lost = Promise.resolve<HttpAnswer>({ kind: 'lost', reason: 'no answer in time' });
    answer = (url) => (url.includes('fails') ? lost : ok(weekly));
    start();
    await fixture.clock.untilAsleep(1);
    const hanging = Promise.withResolvers<HttpAnswer>();
    lost = hanging.promise;
    asked = [];
    fixture.clock.advance({ minutes: 59 });
    await fixture.clock.untilAsleep(1);
    await addCalendar(workspace, 'https://calendar.example.com/choir.ics');
    fixture.clock.advance({ minutes: 1 });
    await fixture.jobsWhere(workspace, (found) => found.length === 3);
    await expect
      .poll(() => asked.toSorted())
      .toEqual([
        'https://calendar.example.com/choir.ics',
        ...Array.from({ length: 4 }, () => 'https://fails.example.com/a.ics'),
      ]);
    hanging.resolve({ kind: 'lost', reason: 'no answer in time' });
    await fixture.clock.untilAsleep(1);
  });

  it('asks a slow server every four hours', async () => {
    await addCalendar();
    answer = () => {
      fixture.clock.advance({ seconds: 6 });
      return ok(weekly);
    };
    start();
    await fixture.clock.untilAsleep(1);
    const { next_read_at: next } = await source();
    expect(fixture.clock.now().until(next).total('hours')).toBe(4);
  });
});
