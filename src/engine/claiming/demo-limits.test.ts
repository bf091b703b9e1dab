import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { demoLimits } from '#contract/demo-limits.ts';
import type { Job } from '#contract/jobs.ts';
import { listPausedJobs } from '#engine/pause/paused-jobs.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { connectOwner } from '#testing/owner.ts';

describe('a demo', () => {
  let fixture: EngineFixture;
  let demo: TestWorkspace;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    demo = await fixture.createWorkspace('demo');
    await change("demo_until = '2026-03-03T08:00:00Z'");
  });
  afterEach(() => fixture.close());

  async function change(columns: string): Promise<void> {
    const owner = await connectOwner(fixture.databaseUrl);
    await owner.query(`update workspaces set ${columns} where id = $1`, [demo.workspaceId]);
    await owner.end();
  }

  const at = (time: string) => ({
    type: 'scheduled',
    scheduleType: 'once',
    startDate: `2026-03-02T${time}:00`,
    timezone: 'UTC',
  });
  const everyMinute = { type: 'scheduled', scheduleType: 'custom', customCron: '* * * * *', timezone: 'UTC' };
  const to = (count: number) => ({
    subject: 'Rent',
    message: 'Hi',
    recipients: Array.from({ length: count }, (_, n) => `https://hooks.example.com/${n}`),
  });
  const write = (name: string, more: object) => writeReminder(fixture, { workspace: demo, name, ...more });

  const codes = (jobs: Job[]) => Object.fromEntries(jobs.map(({ name, reason_code: code }) => [name, code]));
  const areOver = (jobs: Job[]) => jobs.every(({ status }) => status !== 'pending' && status !== 'running');
  const used = async () => {
    const { rows } = await fixture.database.engine.query(
      'select demo_messages, demo_spent_at is not null as is_spent from workspaces where id = $1',
      [demo.workspaceId],
    );
    return rows[0];
  };

  it('sends a hundred messages at a time, and refuses an occurrence with more without a row for anybody', async () => {
    await write('fits', { schedule_config: at('09:00'), content: to(demoLimits.messagesAtOnce) });
    await write('exceeds', { schedule_config: at('09:00'), content: to(demoLimits.messagesAtOnce + 1) });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    const jobs = await fixture.jobsWhere(demo, areOver);
    expect(codes(jobs)).toMatchObject({ exceeds: 'over_demo_limit' });
    expect(jobs.find(({ name }) => name === 'exceeds')?.error_message).toBe(
      'A demo sends 100 messages at a time at most. Sign up to send more.',
    );
    expect(await fixture.deliveries(demo)).toHaveLength(demoLimits.messagesAtOnce);
    expect(await used()).toEqual({ demo_messages: demoLimits.messagesAtOnce + 1, is_spent: false });
  });

  it('sends five hundred messages an hour, and goes on in the next', async () => {
    for (let n = 0; n < 6; n += 1)
      await write(`Reminder ${n}`, { schedule_config: at('09:00'), content: to(demoLimits.messagesAtOnce) });
    await write('later', { schedule_config: at('10:01'), content: to(demoLimits.messagesAtOnce) });
    await fixture.start();
    fixture.clock.advance({ hours: 1 });
    const atNine = await fixture.jobsWhere(demo, (jobs) => areOver(jobs.filter(({ name }) => name !== 'later')));
    const refused = atNine.filter(({ reason_code: code }) => code === 'over_demo_limit');
    expect(refused.map(({ error_message: reason }) => reason)).toEqual([
      'A demo sends 500 messages an hour at most. Sign up to send more.',
    ]);
    expect(await fixture.deliveries(demo)).toHaveLength(demoLimits.messagesAnHour);
    fixture.clock.advance({ minutes: 61 });
    await fixture.jobsWhere(demo, areOver);
    expect(await fixture.deliveries(demo)).toHaveLength(demoLimits.messagesAnHour + demoLimits.messagesAtOnce);
  });

  it('sends two thousand messages in all: then its schedules make no more jobs, and others send on', async () => {
    const other = await fixture.createWorkspace('other');
    await writeReminder(fixture, { workspace: other, schedule_config: everyMinute });
    await write('each minute', { schedule_config: everyMinute, content: to(1) });
    await change(`demo_messages = ${demoLimits.messages - 1}`);
    await fixture.start();
    for (let minute = 1; minute <= 5; minute += 1) {
      fixture.clock.advance({ minutes: 1 });
      await fixture.jobsWhere(other, (jobs) => jobs.filter(({ status }) => status === 'completed').length >= minute);
    }
    const jobs = await fixture.jobsWhere(demo, (all) => all.length === 3);
    expect(jobs.map(({ reason_code: code, status }) => [code, status]).slice(1)).toEqual([
      ['demo_spent', 'cancelled'],
      [null, 'pending'],
    ]);
    expect(jobs[1]?.error_message).toBe(
      'This demo has sent the 2,000 messages that a demo may send. Sign up to go on.',
    );
    expect(await fixture.deliveries(demo)).toHaveLength(1);
    expect(await used()).toEqual({ demo_messages: demoLimits.messages + 1, is_spent: true });
    const { database, clock } = fixture;
    const pause = { since: clock.now().toString(), reason: 'asked' as const, backup_of: null };
    const { workspaces } = await listPausedJobs({ pool: database.engine, clock }, pause);
    expect(workspaces.map(({ name }) => name)).toEqual(['other']);
  });
});
