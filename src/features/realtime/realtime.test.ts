import { EventEmitter } from 'node:events';
import type { Client } from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { streamChanges } from '#features/realtime/changes-stream.ts';
import { createWorkspaceChanges } from '#features/realtime/workspace-changes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { type EventStream, openEventStream } from '#testing/event-stream.ts';
import { addMember } from '#testing/owner.ts';
import { insertThings } from '#testing/sample-rows.ts';
import { sampleReminder } from '#testing/samples.ts';

const opening = 'retry: 2000\nevent: resync\ndata: {}';
/** What creating, pausing or resuming a reminder announces. */
const changesOfReminder = ['data: {"table":"reminders"}', 'data: {"table":"jobs"}'];

describe('the stream of changes', () => {
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

  async function open(as: TestPerson | null = dana, of = workspace): Promise<EventStream> {
    const stream = await openEventStream(cuebird.url, { as, workspace: of });
    if (stream.status === 200) expect(await stream.next()).toBe(opening);
    return stream;
  }

  /** Returns once it has been announced: a stream that is opened then hears nothing of it. */
  async function createReminder(as = dana, of = workspace): Promise<string> {
    const stream = await open(as, of);
    const body = { ...sampleReminder, status: 'active' };
    const created = await as.call('POST', '/api/reminders', { workspace: of, body });
    expect(created.status).toBe(201);
    expect([await stream.next(), await stream.next()]).toEqual(changesOfReminder);
    await stream.close();
    return created.json.id;
  }

  const pause = (id: string, as = dana, of = workspace) =>
    as.call('PATCH', `/api/reminders/${id}`, { workspace: of, body: { status: 'paused' } });

  it('begins with a resync, as an event stream that no proxy may hold back', async () => {
    const stream = await openEventStream(cuebird.url, { as: dana, workspace });
    expect(stream.status).toBe(200);
    expect(stream.headers.get('content-type')).toBe('text/event-stream');
    expect(stream.headers.get('cache-control')).toBe('no-cache, no-transform');
    expect(stream.headers.get('content-encoding')).toBeNull();
    expect(await stream.next()).toBe(opening);
    await stream.close();
  });

  it('says what changed when a reminder is paused, to everybody in the workspace', async () => {
    const erin = await cuebird.signUp('Erin');
    await addMember(database, { workspace, userId: erin.userId, role: 'member' });
    const id = await createReminder();
    const streams = [await open(), await open(), await open(erin)];
    await pause(id);
    for (const stream of streams) {
      expect([await stream.next(), await stream.next()]).toEqual(changesOfReminder);
      await stream.close();
    }
  });

  it('says it for jobs, channels, the workspace and the inbox as well', async () => {
    const { pendingJob, channel } = await insertThings(database, { workspace, userId: dana.userId });
    const stream = await open();
    await dana.call('POST', `/api/jobs/${pendingJob}/pause`, { workspace });
    expect([await stream.next(), await stream.next(), await stream.next()]).toEqual([
      'data: {"table":"jobs"}',
      'data: {"table":"deliveries"}',
      'data: {"table":"reminders"}',
    ]);
    await dana.call('DELETE', `/api/channels/${channel}`, { workspace });
    expect(await stream.next()).toBe('data: {"table":"channels"}');
    await dana.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body: { name: 'Oak' } });
    expect(await stream.next()).toBe('data: {"table":"workspaces"}');
    const { json } = await dana.call('GET', '/api/inbox/addresses', { workspace });
    await fetch(json.webhook_url, { method: 'POST', body: '{}' });
    expect(await stream.next()).toBe('data: {"table":"inbox"}');
    await stream.close();
  });

  it('says nothing of another workspace, not even of one that is the same person’s', async () => {
    const erin = await cuebird.signUp('Erin');
    const theirs = await erin.createWorkspace('Next door');
    const other = await dana.createWorkspace('Oak Street');
    const [inTheirs, inOther, own] = [
      await createReminder(erin, theirs),
      await createReminder(dana, other),
      await createReminder(),
    ];
    const stream = await open();
    await pause(inTheirs, erin, theirs);
    await pause(inOther, dana, other);
    await dana.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body: { name: 'First' } });
    expect(await stream.next()).toBe('data: {"table":"workspaces"}');
    await pause(own);
    expect(await stream.next()).toBe('data: {"table":"reminders"}');
    await stream.close();
  });

  it('says nothing of what was refused', async () => {
    const stream = await open();
    const refused = await dana.call('POST', '/api/reminders', { workspace, body: { ...sampleReminder, name: '' } });
    const once = { type: 'scheduled', scheduleType: 'once', startDate: '2020-01-01T09:00:00', timezone: 'UTC' };
    const late = { ...sampleReminder, status: 'active', schedule_config: once };
    expect([refused.status, (await dana.call('POST', '/api/reminders', { workspace, body: late })).status]).toEqual([
      400, 422,
    ]);
    await dana.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body: { name: 'After' } });
    expect(await stream.next()).toBe('data: {"table":"workspaces"}');
    await stream.close();
  });

  it('is open to nobody else', async () => {
    const erin = await cuebird.signUp('Erin');
    expect((await open(erin)).status).toBe(404);
    expect((await open(null)).status).toBe(401);
    expect((await open(dana, '00000000-0000-4000-8000-000000000000')).status).toBe(404);
    // Access is checked before the query parameters.
    expect((await open(dana, 'nonsense')).status).toBe(404);
  });

  it('tells its readers to fetch everything again after the database was away', async () => {
    const stream = await open();
    await database.query(
      "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'cuebird listen' and datname = current_database()",
    );
    expect(await stream.next()).toBe('event: resync\ndata: {}');
    // Access may have ended meanwhile: the reader is admitted anew.
    expect(await stream.next()).toBeNull();
    const again = await open();
    await dana.call('PATCH', `/api/workspaces/${workspace}`, { workspace, body: { name: 'Back' } });
    expect(await again.next()).toBe('data: {"table":"workspaces"}');
    await again.close();
  });

  it('ends when the server stops, and does not hold it up', async () => {
    const short = await startTestCuebird();
    const finn = await short.signUp('Finn');
    const stream = await openEventStream(short.url, { as: finn, workspace: await finn.createWorkspace('Short') });
    expect(await stream.next()).toBe(opening);
    await short.stop();
    expect(await stream.next()).toBeNull();
  });
});

describe('a reader that does not keep up', () => {
  it('is told to fetch everything again instead of being sent what it missed', async () => {
    const workspaceId = '00000000-0000-4000-8000-000000000000';
    const announced = new EventEmitter();
    const changes = createWorkspaceChanges({
      subscribe(topic, listener) {
        announced.on(topic, listener);
        return () => announced.off(topic, listener);
      },
    });
    const { body } = streamChanges(changes, { workspaceId, signal: new AbortController().signal });
    const payload = JSON.stringify({ workspace: workspaceId, tables: ['jobs'] });
    for (let sent = 0; sent < 5_000; sent += 1) announced.emit('cuebird_changes', payload);

    const reader = body?.getReader();
    const decoder = new TextDecoder();
    const events: string[] = [];
    while (events.at(-1) !== 'event: resync\ndata: {}\n\n') events.push(decoder.decode((await reader?.read())?.value));
    expect(events.length).toBeLessThan(1_100);
    announced.emit('cuebird_changes', payload);
    expect(decoder.decode((await reader?.read())?.value)).toBe('data: {"table":"jobs"}\n\n');
    await reader?.cancel();
  });
});

describe('an announcement', () => {
  it('is read once for a thousand streams, and told to those of its workspace until they stop listening', () => {
    const announced = new EventEmitter();
    const changes = createWorkspaceChanges({
      subscribe(topic, listener) {
        announced.on(topic, listener);
        return () => announced.off(topic, listener);
      },
    });
    const [mine, other] = ['00000000-0000-4000-8000-000000000000', '00000000-0000-4000-8000-000000000001'];
    const heard: string[] = [];
    const stops = Array.from({ length: 1_000 }, (_, at) =>
      changes.subscribe(at === 0 ? mine : other, (lines) => heard.push(`${at}: ${lines.join('')}`)),
    );
    const parse = vi.spyOn(JSON, 'parse');
    onTestFinished(() => parse.mockRestore());
    announced.emit('cuebird_changes', JSON.stringify({ workspace: mine, tables: ['jobs', 'contacts'] }));
    expect(parse).toHaveBeenCalledOnce();
    expect(heard).toEqual(['0: data: {"table":"jobs"}\n\ndata: {"table":"contacts"}\n\n']);
    for (const stop of stops) stop();
    announced.emit('cuebird_changes', null);
    expect(heard).toHaveLength(1);
  });
});

describe('a line on which nothing happens', () => {
  it('carries a comment every 25 seconds, so that no proxy takes it for dead', async () => {
    vi.useFakeTimers();
    try {
      const { body } = streamChanges(
        { subscribe: () => () => {} },
        { workspaceId: '00000000-0000-4000-8000-000000000000', signal: new AbortController().signal },
      );
      const reader = body?.getReader();
      const decoder = new TextDecoder();
      const next = async () => decoder.decode((await reader?.read())?.value);
      expect(await next()).toBe(`${opening}\n\n`);
      const heard: string[] = [];
      const listening = next().then((text) => heard.push(text));
      await vi.advanceTimersByTimeAsync(24_999);
      expect(heard).toEqual([]);
      await vi.advanceTimersByTimeAsync(1);
      await listening;
      expect(heard).toEqual([': still here\n\n']);
      const again = next();
      await vi.advanceTimersByTimeAsync(25_000);
      expect(await again).toBe(': still here\n\n');
      // After an hour its reader is admitted anew.
      for (let heartbeat = 3; heartbeat < 144; heartbeat += 1) {
        const beat = next();
        await vi.advanceTimersByTimeAsync(25_000);
        expect(await beat).toBe(': still here\n\n');
      }
      const last = reader?.read();
      await vi.advanceTimersByTimeAsync(25_000);
      expect((await last)?.done).toBe(true);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });
});
