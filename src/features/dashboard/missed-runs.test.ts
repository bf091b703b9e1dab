import pg from 'pg';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { CountedJob } from '#contract/jobs.ts';
import type { MissedRun } from '#contract/day.ts';
import { totalSome } from '#engine/maintenance/totaller.ts';
import { unreachedTexts } from '#domain/run-outcome.ts';
import { untilFound } from '#testing/changes.ts';
import { startTestCuebird, type TestCuebird, type TestPerson } from '#testing/cuebird.ts';
import { accepted, insertRunOfPeople, type Lines } from '#testing/run-of-people.ts';

describe('a run that is completed and has not reached everybody', () => {
  let cuebird: TestCuebird;
  let dana: TestPerson;
  let workspace: string;
  beforeAll(async () => {
    cuebird = await startTestCuebird();
    dana = await cuebird.signUp('Dana');
  });
  beforeEach(async () => {
    workspace = await dana.createWorkspace('Elm Street');
  });
  afterAll(() => cuebird.stop());

  const call = async (method: string, path: string, body?: unknown) => {
    const { json } = await dana.call(method, path, { workspace, body });
    expect(json?.error).toBeUndefined();
    return json;
  };
  const missed = async (): Promise<{ latest: MissedRun[]; has_more: boolean }> =>
    (await call('GET', '/api/dashboard/day')).missed;

  /** A run of these people that began so many hours ago, with the message that the engine gives it. */
  const insertRun = (people: readonly Lines[], { hoursAgo = 2, name = 'Rent' } = {}) =>
    insertRunOfPeople(cuebird.owner, {
      workspaceId: workspace,
      name,
      at: Temporal.Now.instant().subtract({ hours: hoursAgo }).toString(),
      status: 'completed',
      people,
      message: '1 of 2 skipped: The recipient is on the suppression list',
    });
  const suppressed: Lines = { email: { status: 'skipped', reason_code: 'suppressed' } };

  it('needs attention with its figure and the reason: who has no address, or is suppressed, but not who is paused', async () => {
    const contact = (name: string, other: object = {}) =>
      call('POST', '/api/contacts', { name, email: `${name.toLowerCase()}@example.com`, phone: null, ...other });
    await contact('Ann');
    await contact('Bob');
    await contact('Cy', { email: null, phone: '+14155552671' });
    await contact('Dee', { email: null, phone: '+14155552672' });
    await contact('Eve');
    await contact('Fay', { paused_until: '2098-01-01' });
    await call('POST', '/api/suppressions', { channel: 'email', recipient: 'eve@example.com' });
    const startDate = new Date(Date.now() - 60_000).toISOString().slice(0, 19);
    const { id: reminder } = await call('POST', '/api/reminders', {
      name: 'Water is off',
      status: 'active',
      schedule_config: { type: 'scheduled', scheduleType: 'once', startDate, timezone: 'UTC' },
      content: { subject: 'Water', message: 'From nine to noon', recipients: [] },
      metadata: { channels: ['email'], priority: 'medium', audience: { everyone: true } },
    });
    const job = await untilFound(cuebird.databaseUrl, async () => {
      const [found]: CountedJob[] = (await call('GET', `/api/jobs?reminder_id=${reminder}`)).data;
      return found?.status === 'completed' ? found : null;
    });
    expect(job.people).toMatchObject({ total: 5, reached: 2, skipped: 3, excluded: 1 });
    expect(await missed()).toEqual({
      latest: [{ job_id: job.id, name: 'Water is off', completed_at: job.completed_at, people: job.people }],
      has_more: false,
    });
    const [found] = (await missed()).latest;
    expect(found && unreachedTexts(found.people)).toEqual(['2 have no email address', '1 skipped', '1 left out']);
  });

  it('is found as long as it is of the last seven days, before and after its messages are added up', async () => {
    const job = await insertRun([accepted, suppressed], { hoursAgo: 30 });
    await insertRun([accepted, accepted], { hoursAgo: 29 });
    await insertRun([accepted, suppressed], { hoursAgo: 7 * 24 + 1 });
    const ids = async () => (await missed()).latest.map(({ job_id: id }) => id);
    expect(await ids()).toEqual([job]);
    const until = Temporal.Now.instant()
      .round({ smallestUnit: 'minute', roundingIncrement: 15, roundingMode: 'floor' })
      .subtract({ hours: 3 });
    const pool = new pg.Pool({ connectionString: cuebird.databaseUrl, max: 1 });
    const client = await pool.connect();
    while ((await totalSome(client, { id: workspace, jobs: 50, until })) !== null);
    client.release();
    await pool.end();
    expect(await ids()).toEqual([job]);
    // Changed since: its quarter has a mark.
    await cuebird.owner.query("update deliveries set status = 'accepted' where job_id = $1", [job]);
    expect(await ids()).toEqual([]);
  });

  it('is not one where another channel had the message, or where people were left out on purpose', async () => {
    const twoChannels: Lines = {
      email: { status: 'skipped', reason_code: 'suppressed' },
      sms: { status: 'accepted' },
    };
    await insertRun([accepted, twoChannels]);
    await insertRun([accepted, { email: { status: 'skipped', reason_code: 'person_skipped' } }]);
    expect(await missed()).toEqual({ latest: [], has_more: false });
  });

  it('is one also where it was cancelled because nobody has an address, and not where somebody cancelled it', async () => {
    const nobody = { status: 'skipped', reason_code: 'no_address', reason_params: { lacks: 'email' } } as const;
    const run = { workspaceId: workspace, at: Temporal.Now.instant().toString(), status: 'cancelled' } as const;
    const message = 'Ann has no email address';
    const job = await insertRunOfPeople(cuebird.owner, { ...run, people: [{ email: nobody }], message });
    const ofCancelled: Lines = { email: { status: 'skipped', reason_code: 'cancelled' } };
    await insertRunOfPeople(cuebird.owner, { ...run, people: [ofCancelled], message: 'Cancelled' });
    expect((await missed()).latest).toMatchObject([{ job_id: job, people: { total: 1, reached: 0, skipped: 1 } }]);
  });

  it('is counted exactly, however many people it has', async () => {
    const job = await insertRun([...Array.from({ length: 1_200 }, () => accepted), suppressed]);
    expect((await missed()).latest).toMatchObject([{ job_id: job, people: { total: 1_201, skipped: 1 } }]);
  });

  it('is listed six times, newest first, and says that there are more; of a reminder the latest run', async () => {
    for (let n = 1; n <= 8; n += 1) await insertRun([accepted, suppressed], { hoursAgo: n, name: `Run ${n}` });
    const { latest, has_more: hasMore } = await missed();
    expect([latest.map(({ name }) => name), hasMore]).toEqual([[1, 2, 3, 4, 5, 6].map((n) => `Run ${n}`), true]);
    const { id } = await call('POST', '/api/reminders', {
      name: 'Bins',
      status: 'draft',
      schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: '2098-01-01T09:00:00', timezone: 'UTC' },
      content: { subject: 'Bins', message: 'Out', recipients: ['anna@example.com'] },
      metadata: { channels: ['email'], priority: 'medium' },
    });
    await cuebird.owner.query("update jobs set reminder_id = $2, type = 'reminder' where workspace_id = $1", [
      workspace,
      id,
    ]);
    expect((await missed()).latest.map(({ name }) => name)).toEqual(['Run 1']);
  });
});
