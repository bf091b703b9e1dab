import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { testReminder } from '#features/reminders/test-send.service.ts';
import { type EngineFixture, openEngineFixture, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addChannel, switchOff } from '#testing/engine-rows.ts';
import { answerOf, delayAnswers } from '#testing/receiver.ts';

describe('of several channels of a type', () => {
  let fixture: EngineFixture;
  let workspace: TestWorkspace;
  let older: string;
  let newer: string;
  beforeEach(async () => {
    fixture = await openEngineFixture('2026-03-02T08:00:00Z');
    workspace = await fixture.createWorkspace();
    older = await addHook('older');
    newer = await addHook('newer');
  });
  afterEach(() => fixture.close());

  /** Each a second after the one before, because the last change decides. */
  async function addHook(host: string): Promise<string> {
    fixture.clock.advance({ seconds: 1 });
    const configuration = { url: `https://${host}.example.com/` };
    return addChannel(fixture, { workspace, type: 'webhook', configuration });
  }
  const people = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@example.com`);
  const write = (count: number, pinned?: string) =>
    writeReminder(fixture, {
      workspace,
      content: { subject: 'Rent', message: 'Hi', recipients: people(count) },
      metadata: { channels: ['webhook'], ...(pinned !== undefined && { pinned_channels: { webhook: pinned } }) },
    });
  const due = () => fixture.clock.advance(fixture.clock.now().until('2026-03-02T09:00:00Z'));
  const hosts = () => fixture.requests.map(({ url }) => new URL(url).hostname.split('.')[0]);
  const ended = () => fixture.jobsWhere(workspace, ([job]) => job?.status === 'completed');
  const senders = async () => (await fixture.deliveries(workspace)).map((row) => row.channel_id);
  const failing = (host: string) => {
    fixture.receiver = ({ url }) => answerOf(url.includes(`//${host}.`) ? 503 : 200);
  };

  it('the one that was changed last sends, and a pinned one before it, also what is sent as a test', async () => {
    await write(1);
    const pinned = await write(1, older);
    await fixture.start();
    due();
    await fixture.jobsWhere(workspace, (jobs) => jobs.filter((job) => job.status === 'completed').length === 2);
    expect(new Set(await senders())).toEqual(new Set([older, newer]));
    await fixture.inWorkspace(workspace, (ctx) =>
      testReminder(ctx, { id: pinned.id, test: { recipients: people(1), subject: 'Try', message: 'Does it?' } }),
    );
    await fixture.until(
      async () => hosts(),
      (all) => all.length === 3,
    );
    expect(hosts().at(-1)).toBe('older');
  });

  it('another one sends while the pinned one is switched off', async () => {
    await write(1, older);
    await switchOff(fixture, { workspace, id: older });
    await fixture.start();
    due();
    await ended();
    expect(await senders()).toEqual([newer]);
  });

  it.each(['pinned', 'not pinned'])('another one takes over from one (%s) that cannot be reached', async (kind) => {
    failing(kind === 'pinned' ? 'older' : 'newer');
    await write(12, kind === 'pinned' ? older : undefined);
    await fixture.start({ limits: { perDestination: 4, failuresToOpen: 4 } });
    due();
    const [job] = await fixture.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 1);
    const [bad, good] = kind === 'pinned' ? [older, newer] : [newer, older];
    const first = await fixture.deliveries(workspace);
    expect(first.filter((row) => row.status === 'accepted').map((row) => row.channel_id)).toEqual(
      Array.from({ length: first.filter((row) => row.status === 'accepted').length }, () => good),
    );
    // The failed deliveries come due before that channel's rest is over, and are not sent there.
    const failed = first.filter((row) => row.status === 'waiting');
    expect(failed.map((row) => [row.channel_id, row.reason])).toEqual(failed.map(() => [bad, 'HTTP 503']));
    expect(failed.length).toBeGreaterThanOrEqual(4);
    fixture.clock.advance(fixture.clock.now().until(job?.run_at ?? ''));
    await ended();
    expect(new Set(await senders())).toEqual(new Set([good]));
    expect(fixture.requests).toHaveLength(12 + failed.length);
  });

  it('no delivery that waited for one that failed moves to the other once the job is cancelled', async () => {
    const delayed = delayAnswers(() => answerOf(503));
    fixture.receiver = (request) => (request.url.includes('newer') ? delayed(request) : answerOf(200));
    await write(6);
    await fixture.start({ limits: { perDestination: 2, failuresToOpen: 2 } });
    due();
    await delayed.arrived(2);
    const [job] = await fixture.jobs(workspace);
    await fixture.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'cancel' }));
    // Longer ago than a fresh check.
    fixture.clock.advance({ milliseconds: 200 });
    delayed.release();
    const rows = await fixture.until(
      () => fixture.deliveries(workspace),
      (all) => all.length === 6 && all.every((row) => row.completed_at !== null),
    );
    expect(new Set(rows.map((row) => row.status))).toEqual(new Set(['skipped']));
    expect(hosts()).toEqual(['newer', 'newer']);
  });

  it('deliveries wait, untried, when no channel can be reached', async () => {
    fixture.receiver = () => answerOf(503);
    await write(12);
    await fixture.start({ limits: { perDestination: 2, failuresToOpen: 2 } });
    due();
    await fixture.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 1);
    const rows = await fixture.deliveries(workspace);
    expect(new Set(rows.map((row) => row.status))).toEqual(new Set(['waiting']));
    expect(new Set(hosts())).toEqual(new Set(['newer', 'older']));
    const untried = rows.filter((row) => row.attempts === 0);
    expect(untried.length).toBeGreaterThan(0);
    expect(untried[0]?.reason).toMatch(
      /^Not tried: the last \d attempts to reach the destination failed \(HTTP 503\)$/,
    );
  });
});
