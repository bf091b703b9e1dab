import type { Client } from 'pg';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { eventDataLimits } from '#contract/events.ts';
import { type Sweep, sweepOnce } from '#engine/maintenance/archiver.ts';
import { takeEvent } from '#features/events/events.service.ts';
import { getJob } from '#features/jobs/jobs.service.ts';
import { deleteReminder, restoreReminder } from '#features/reminders/deletion.service.ts';
import { createLog } from '#platform/log.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';

describe('the data of an event', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let owner: Client;
  beforeEach(async () => {
    fixture = await openEngineFixture();
    workspace = await fixture.createWorkspace();
    owner = await connectOwner(fixture.databaseUrl);
  });
  afterEach(async () => {
    await owner.end();
    await fixture.close();
  });

  const write = (name = 'Trial ends') =>
    writeReminder(fixture, {
      workspace,
      name,
      schedule_config: {
        type: 'event-based',
        eventTrigger: 'trial_ending',
        delayAmount: 10,
        delayUnit: 'minutes',
        timezone: 'UTC',
      },
      content: { subject: 'Trial', message: '{{v0}}', recipients: ['https://hooks.example.com/a'] },
      metadata: { channels: ['webhook'] },
    });
  const send = (variables: Record<string, string>, key = 'k-1') =>
    fixture.inWorkspace(workspace, (ctx) =>
      takeEvent(ctx, { event: 'trial_ending', key, reminderId: null, variables, occurredAt: null }),
    );
  const bytesOf = async (table: string) =>
    (
      await owner.query<{ bytes: number }>(
        `select coalesce(sum(octet_length(payload::text)), 0)::int as bytes from ${table}`,
      )
    ).rows[0]?.bytes ?? 0;
  async function sweep(): Promise<Sweep> {
    const deps = {
      pool: fixture.database.engine,
      clock: fixture.clock,
      log: createLog('silent'),
      isPaused: async () => false,
    };
    const swept = await sweepOnce(deps, new AbortController().signal);
    if (swept === null) throw new Error('somebody else sweeps');
    return swept;
  }

  it('is stored once for all its reminders, and used in every message', async () => {
    for (let n = 0; n < 200; n += 1) await write(`Trial ends ${n}`);
    const capacity = eventDataLimits.characters - 6 * eventDataLimits.value - 40;
    const variables = Object.fromEntries(
      Array.from({ length: 7 }, (_, n) => [`v${n}`, String(n).repeat(n < 6 ? eventDataLimits.value : capacity)]),
    );
    const { event } = await send(variables);
    expect(event.jobs).toHaveLength(200);
    const size = JSON.stringify({ data: variables }).length;
    expect(size).toBeGreaterThan(65_000);
    expect(await bytesOf('event_payloads')).toBeLessThan(size + 100);
    expect(await bytesOf('jobs')).toBe(200 * '{}'.length);
    const [first] = event.jobs;
    const job = await fixture.inWorkspace(workspace, (ctx) => getJob(ctx, first?.job_id ?? ''));
    expect(job.payload).toEqual({ data: variables });

    await fixture.start();
    fixture.clock.advance({ minutes: 11 });
    await fixture.until(
      () => fixture.jobs(workspace),
      (jobs) => jobs.filter(({ status }) => status === 'completed').length === jobs.length,
    );
    expect(fixture.requests).toHaveLength(200);
    for (const { body } of fixture.requests) expect(String(body)).toContain(variables.v0);
  });

  it('is kept while a job needs it, even one that is deleted and restored with its reminder', async () => {
    const [kept, deleted] = [await write('Kept'), await write('Deleted')];
    await send({ v0: 'Basic' });
    const remove = (id: string) => fixture.inWorkspace(workspace, (ctx) => deleteReminder(ctx, id));
    await remove(kept.id);
    await remove(deleted.id);
    await sweep();
    expect(await bytesOf('event_payloads')).toBeGreaterThan(0);
    await fixture.inWorkspace(workspace, (ctx) => restoreReminder(ctx, kept.id));
    await fixture.start();
    fixture.clock.advance({ minutes: 11 });
    await fixture.until(
      () => fixture.jobs(workspace),
      (jobs) => jobs.some(({ status }) => status === 'completed'),
    );
    expect(String(fixture.requests[0]?.body)).toContain('Basic');
  });

  it('is deleted with the last job that needs it, and its event key stays', async () => {
    await write();
    await send({ v0: 'Basic' });
    await send({ v0: 'Other' }, 'k-2');
    await owner.query(`delete from jobs where event_id = (select id from events where key = 'k-1')`);
    expect((await sweep()).forgotten).toBe(1);
    const { rows } = await owner.query('select payload from event_payloads');
    expect(rows).toEqual([{ payload: { data: { v0: 'Other' } } }]);
    expect((await owner.query('select from events')).rowCount).toBe(2);
    expect((await sweep()).forgotten).toBe(0);
  });

  it('is not stored when no reminder waits for the event', async () => {
    await send({ v0: 'Basic' });
    expect((await owner.query('select from event_payloads')).rowCount).toBe(0);
  });
});
