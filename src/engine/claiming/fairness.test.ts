import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { DispatcherLimits } from '#engine/claiming/dispatcher.ts';
import { addContact } from '#testing/engine-rows.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

describe('fairness', () => {
  const everyone = { channels: ['webhook'], audience: { everyone: true } };
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
  });
  afterEach(() => fixture.close());

  it("lets one workspace's flood of jobs delay no other workspace", async () => {
    const other = await fixture.createWorkspace('Quiet');
    for (let n = 0; n < 40; n += 1) await writeReminder(fixture, { workspace, name: `Flood ${n}` });
    await writeReminder(fixture, {
      workspace: other,
      schedule_config: { type: 'scheduled', scheduleType: 'once', startDate: '2026-03-02T09:00:01', timezone: 'UTC' },
      content: { subject: 'Quiet', message: 'Hi', recipients: ['https://hooks.example.com/quiet'] },
    });
    const delayed = delayAnswers();
    fixture.receiver = (request) => (request.url.endsWith('quiet') ? answerOf(200) : delayed(request));
    fixture.clock.advance({ hours: 1, seconds: 1 });
    await fixture.start({ limits: { slots: 16, slotsPerWorkspace: 8 } });
    const jobs = await fixture.until(
      () => fixture.jobs(other),
      (all) => all.some((job) => job.status === 'completed'),
    );
    expect(jobs).toHaveLength(1);
    delayed.release();
    await fixture.jobsWhere(workspace, (all) => all.filter((job) => job.status === 'completed').length === 40);
  });

  /** The claims that have taken something, once the worker runs: of each job its workspace, and how many attempts began. */
  async function watchClaims(limits: Partial<DispatcherLimits>) {
    const claims: { workspaces: string[]; attempts: number }[] = [];
    await fixture.start({
      limits,
      wrapStore: (store) => ({
        ...store,
        async claim(...args) {
          const claim = await store.claim(...args);
          if (claim !== null)
            claims.push({
              workspaces: claim.started.map(({ run }) => run.job.workspace_id),
              attempts: claim.started.reduce((sum, { begun }) => sum + begun.length, 0),
            });
          return claim;
        },
      }),
    });
    return claims;
  }

  it('claims many due jobs a few at a time, one claim after the other', async () => {
    for (let n = 0; n < 10; n += 1) await writeReminder(fixture, { workspace, name: `Flood ${n}` });
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    fixture.clock.advance({ hours: 1 });
    const claims = await watchClaims({ jobsPerClaim: 4 });
    // No answer has come.
    await delayed.arrived(10);
    expect(claims.map(({ workspaces }) => workspaces.length)).toEqual([4, 4, 2]);
    delayed.release();
    await fixture.jobsWhere(workspace, (all) => all.filter((job) => job.status === 'completed').length === 10);
  });

  it('begins the attempts to all recipients of a job, however few jobs a claim takes', async () => {
    const recipients = Array.from({ length: 10 }, (_, n) => `https://hooks.example.com/${n}`);
    await writeReminder(fixture, { workspace, content: { subject: 'Rent', message: 'Hi', recipients } });
    fixture.clock.advance({ hours: 1 });
    const claims = await watchClaims({ jobsPerClaim: 1 });
    await fixture.jobsWhere(workspace, (all) => all.some((job) => job.status === 'completed'));
    expect(claims.map(({ attempts }) => attempts)).toEqual([10]);
  });

  it('reaches each workspace when more have due jobs than one claim takes', async () => {
    const others = [];
    for (const name of ['Beech', 'Cedar', 'Elder']) others.push(await fixture.createWorkspace(name));
    for (const one of [workspace, ...others])
      for (let n = 0; n < 4; n += 1)
        await writeReminder(fixture, {
          workspace: one,
          schedule_config: {
            type: 'scheduled',
            scheduleType: 'daily',
            startDate: one === workspace ? '2026-03-02T08:59:00' : '2026-03-02T09:00:00',
            timezone: 'UTC',
          },
          content: { subject: 'Rent', message: 'Hi', recipients: [`https://${one.workspaceId}.example.com/${n}`] },
        });
    const delayed = delayAnswers();
    fixture.receiver = delayed;
    fixture.clock.advance({ hours: 1 });
    // The first workspace is full after two claims; the others are then claimed round robin.
    const claims = await watchClaims({ jobsPerClaim: 2, slotsPerWorkspace: 4 });
    await delayed.arrived(16);
    const [beech, cedar, elder] = others.map(({ workspaceId }) => workspaceId).toSorted();
    const claimed = claims.map(({ workspaces }) => [...new Set(workspaces)]);
    expect(claimed.slice(2, 8)).toEqual([[beech], [cedar], [elder], [beech], [cedar], [elder]]);
    delayed.release();
    for (const one of [workspace, ...others])
      await fixture.jobsWhere(one, (all) => all.filter((job) => job.status === 'completed').length === 4);
  });

  it('sends everything else while the database looks for the people of one audience', async () => {
    const own = await fixture.createWorkspace('Elm', { tier: 'free', trialEndsAt: '2025-01-01T00:00:00Z' });
    const other = await fixture.createWorkspace('Quiet');
    const late = await fixture.createWorkspace('Late');
    const toEveryone = { content: { subject: 'Rent', message: 'Hi', recipients: [] }, metadata: everyone };
    for (const one of [own, other, late]) {
      await addContact(fixture, { workspace: one, email: 'anna@example.com' });
      await fixture.inWorkspace(one, ({ db, workspaceId }) =>
        sql`insert into channels (workspace_id, name, type, configuration)
            values (${workspaceId}, 'Hook', 'webhook', '{"url": "https://relay.example.com/"}')`.execute(db),
      );
    }
    await writeReminder(fixture, { workspace: own, name: 'Large', ...toEveryone });
    await writeReminder(fixture, { workspace: own, name: 'Listed' });
    await writeReminder(fixture, { workspace: other, name: 'Listed' });
    await writeReminder(fixture, { workspace: other, name: 'Small', ...toEveryone });
    const inAnHour = { type: 'scheduled', scheduleType: 'once', startDate: '2026-03-02T10:00:00', timezone: 'UTC' };
    await writeReminder(fixture, { workspace: late, name: 'Later', ...toEveryone, schedule_config: inAnHour });
    const { promise: found, resolve: find } = Promise.withResolvers<void>();
    const asked: string[] = [];
    await fixture.start({
      billing: 'on',
      wrapStore: (store) => ({
        ...store,
        claim: (request, decide) =>
          store.claim(request, (rows) =>
            decide({
              ...rows,
              async audience(about) {
                asked.push(about.workspaceId);
                if (about.workspaceId === own.workspaceId) await found;
                return rows.audience(about);
              },
            }),
          ),
      }),
    });
    const completed = async (of: TestWorkspace, names: string[]) => {
      const hasEnded = (jobs: Awaited<ReturnType<typeof fixture.jobs>>) =>
        names.every((name) => jobs.some((job) => job.name === name && job.status === 'completed'));
      await fixture.jobsWhere(of, hasEnded);
    };
    fixture.clock.advance({ hours: 1 });
    await completed(other, ['Listed', 'Small']);
    await completed(own, ['Listed']);
    // What comes due meanwhile does not wait either.
    fixture.clock.advance({ hours: 1 });
    await completed(late, ['Later']);
    expect(asked.filter((id) => id === own.workspaceId)).toHaveLength(1);
    expect((await fixture.jobs(own)).find(({ name }) => name === 'Large')?.status).toBe('pending');
    find();
    await completed(own, ['Large']);
  });

  it('sends for others on time while a destination of one workspace hangs for minutes', async () => {
    const other = await fixture.createWorkspace('Quiet');
    for (let n = 0; n < 40; n += 1)
      await writeReminder(fixture, {
        workspace,
        name: `Hanging ${n}`,
        content: {
          subject: 'Rent',
          message: 'Hi',
          recipients: [1, 2, 3].map((at) => `https://hangs.example.com/${n}/${at}`),
        },
      });
    const times = Array.from(
      { length: 8 },
      (_, n) => `2026-03-02T09:0${Math.floor(n / 2)}:${n % 2 === 0 ? '01' : '31'}`,
    );
    for (const startDate of times)
      await writeReminder(fixture, {
        workspace: other,
        schedule_config: { type: 'scheduled', scheduleType: 'once', startDate, timezone: 'UTC' },
      });
    const hanging = delayAnswers();
    fixture.receiver = (request) => (request.url.includes('hangs') ? hanging(request) : answerOf(200));
    await fixture.start({ limits: { slots: 16, slotsPerWorkspace: 8, perDestination: 4 } });
    fixture.clock.advance({ hours: 1 });
    await hanging.arrived(4);
    for (const [n, time] of times.entries()) {
      fixture.clock.advance(fixture.clock.now().until(`${time}Z`));
      await fixture.jobsWhere(other, (jobs) => jobs.filter((job) => job.status === 'completed').length === n + 1);
    }
    expect((await fixture.jobs(other)).map((job) => [job.status, job.completed_at])).toEqual(
      times.map((time) => ['completed', `${time}.000Z`]),
    );
    expect(fixture.requests.filter((request) => request.url.includes('hangs'))).toHaveLength(4);
    // No attempt of the others has been used up.
    await fixture.until(
      () => fixture.deliveries(workspace),
      (rows) => rows.every((row) => row.attempts === 0 && row.status === 'waiting'),
    );
  });
});
