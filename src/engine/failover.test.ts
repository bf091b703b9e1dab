import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { actOnJob } from '#features/jobs/job-actions.service.ts';
import { testReminder } from '#features/reminders/reminders.service.ts';
import { type EngineHouse, openEngineHouse, type TestWorkspace, writeReminder } from '#testing/engine.ts';
import { addChannel, switchOff } from '#testing/engine-rows.ts';
import { answerOf, holdAnswers } from '#testing/receiver.ts';

describe('of several channels of a type', () => {
  let house: EngineHouse;
  let workspace: TestWorkspace;
  let older: string;
  let newer: string;
  beforeEach(async () => {
    house = await openEngineHouse('2026-03-02T08:00:00Z');
    workspace = await house.createWorkspace();
    older = await addHook('older');
    newer = await addHook('newer');
  });
  afterEach(() => house.close());

  /** Each a second after the one before: the last change decides. */
  async function addHook(host: string): Promise<string> {
    house.clock.advance({ seconds: 1 });
    const configuration = { url: `https://${host}.example.com/` };
    return addChannel(house, { workspace, type: 'webhook', configuration });
  }
  const people = (count: number) => Array.from({ length: count }, (_, n) => `p${n}@example.com`);
  const write = (count: number, pinned?: string) =>
    writeReminder(house, {
      workspace,
      content: { subject: 'Rent', message: 'Hi', recipients: people(count) },
      metadata: { channels: ['webhook'], ...(pinned !== undefined && { pinned_channels: { webhook: pinned } }) },
    });
  const due = () => house.clock.advance(house.clock.now().until('2026-03-02T09:00:00Z'));
  const hosts = () => house.requests.map(({ url }) => new URL(url).hostname.split('.')[0]);
  const ended = () => house.jobsWhere(workspace, ([job]) => job?.status === 'completed');
  const senders = async () => (await house.deliveries(workspace)).map((row) => row.channel_id);
  const failing = (host: string) => {
    house.receiver = ({ url }) => answerOf(url.includes(`//${host}.`) ? 503 : 200);
  };

  it('the one that was changed last sends, and a pinned one before it, also what is sent as a test', async () => {
    await write(1);
    const pinned = await write(1, older);
    await house.start();
    due();
    await house.jobsWhere(workspace, (jobs) => jobs.filter((job) => job.status === 'completed').length === 2);
    expect(new Set(await senders())).toEqual(new Set([older, newer]));
    await house.inWorkspace(workspace, (ctx) =>
      testReminder(ctx, { id: pinned.id, test: { recipients: people(1), subject: 'Try', message: 'Does it?' } }),
    );
    await house.until(
      async () => hosts(),
      (all) => all.length === 3,
    );
    expect(hosts().at(-1)).toBe('older');
  });

  it('another one sends while the pinned one is switched off', async () => {
    await write(1, older);
    await switchOff(house, { workspace, id: older });
    await house.start();
    due();
    await ended();
    expect(await senders()).toEqual([newer]);
  });

  it.each(['pinned', 'not pinned'])('another one takes over from one (%s) that cannot be reached', async (kind) => {
    failing(kind === 'pinned' ? 'older' : 'newer');
    await write(12, kind === 'pinned' ? older : undefined);
    await house.start({ limits: { perDestination: 4, failuresToOpen: 4 } });
    due();
    const [job] = await house.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 1);
    const [bad, good] = kind === 'pinned' ? [older, newer] : [newer, older];
    const first = await house.deliveries(workspace);
    expect(first.filter((row) => row.status === 'accepted').map((row) => row.channel_id)).toEqual(
      Array.from({ length: first.filter((row) => row.status === 'accepted').length }, () => good),
    );
    // What failed there is tried again at its own time, before that channel's rest is over, and not there.
    const failed = first.filter((row) => row.status === 'waiting');
    expect(failed.map((row) => [row.channel_id, row.reason])).toEqual(failed.map(() => [bad, 'HTTP 503']));
    expect(failed.length).toBeGreaterThanOrEqual(4);
    house.clock.advance(house.clock.now().until(job?.run_at ?? ''));
    await ended();
    expect(new Set(await senders())).toEqual(new Set([good]));
    expect(house.requests).toHaveLength(12 + failed.length);
  });

  it('nobody who stood in line for one that closed goes over to the other once the job was called off', async () => {
    const held = holdAnswers(() => answerOf(503));
    house.receiver = (request) => (request.url.includes('newer') ? held(request) : answerOf(200));
    await write(6);
    await house.start({ limits: { perDestination: 2, failuresToOpen: 2 } });
    due();
    await held.arrived(2);
    const [job] = await house.jobs(workspace);
    await house.inWorkspace(workspace, (ctx) => actOnJob(ctx, { id: job?.id ?? '', action: 'cancel' }));
    // Longer ago than what counts as asked a moment ago.
    house.clock.advance({ milliseconds: 200 });
    held.release();
    const rows = await house.until(
      () => house.deliveries(workspace),
      (all) => all.length === 6 && all.every((row) => row.completed_at !== null),
    );
    expect(new Set(rows.map((row) => row.status))).toEqual(new Set(['skipped']));
    expect(hosts()).toEqual(['newer', 'newer']);
  });

  it('all that cannot be reached are waited for, and tried no further', async () => {
    house.receiver = () => answerOf(503);
    await write(12);
    await house.start({ limits: { perDestination: 2, failuresToOpen: 2 } });
    due();
    await house.jobsWhere(workspace, ([one]) => one?.status === 'pending' && one.attempts === 1);
    const rows = await house.deliveries(workspace);
    expect(new Set(rows.map((row) => row.status))).toEqual(new Set(['waiting']));
    expect(new Set(hosts())).toEqual(new Set(['newer', 'older']));
    const untried = rows.filter((row) => row.attempts === 0);
    expect(untried.length).toBeGreaterThan(0);
    expect(untried[0]?.reason).toMatch(
      /^Not tried: the last \d attempts to reach the destination failed \(HTTP 503\)$/,
    );
  });
});
