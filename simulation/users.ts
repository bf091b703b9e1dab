import type { ReceivingHours } from '#contract/receiving-hours.ts';
import { hoursWithout } from '#simulation/wishes.ts';
import { z } from 'zod';
import { type ChannelType, channelTypes } from '#contract/channel-types.ts';
import { isOffered, type JobAction } from '#domain/job-state.ts';
import { recipientKey } from '#domain/recipients.ts';
import type { EventContent } from '#simulation/history.ts';
import type { Act } from '#simulation/people.ts';
import { asFilled, type Random } from '#simulation/random.ts';
import { changedNumber, firstContacts, someContactAct } from '#simulation/contacts.ts';
import { everyCoverage, someCoverage, topicsOf } from '#simulation/topics.ts';
import { firstConsents, someConsent } from '#simulation/consents.ts';
import { someReminder } from '#simulation/reminders.ts';
import { isoOf, type JobRow, type ReminderRow, type Rows } from '#simulation/tables.ts';
import type { Users, World } from '#simulation/world.ts';

type Waiting = { workspaceId: string; channel: ChannelType; recipient: string };

export function createUsers(world: World): Users {
  const { backend, timeline, history, scenario } = world;
  const random = world.userRandom;
  let written = 0;
  let reported = 0;
  const hasOptOuts = scenario.seed % 5 === 0;

  const now = () => Temporal.Instant.fromEpochMilliseconds(timeline.nowMs());

  async function act(wanted: Act, { isFollowed = true }: { isFollowed?: boolean } = {}): Promise<void> {
    const since = history.moment();
    const done = await timeline.during(backend.people.act(wanted, now()));
    history.record({ kind: 'act', since, act: wanted, done });
    history.count(done.answer.kind === 'done' ? 'acts' : 'refused acts');
    world.workers.wake();
    if (isFollowed && done.answer.kind === 'done' && random.chance(0.4)) followUp(wanted);
  }

  /** Some recipients have left something before anything is sent, and half of these seeds make a topic optional meanwhile. Without draws. */
  async function leaveAtFirst(): Promise<void> {
    for (const { id: workspaceId } of scenario.workspaces) {
      for (const wanted of firstOptOuts(workspaceId)) await act(wanted, { isFollowed: false });
      const required = topicsOf(workspaceId).at(-1);
      if (required === undefined || scenario.seed % 10 !== 0) continue;
      timeline.at(timeline.nowMs() + Math.floor(scenario.chaosMs / 2), () => {
        void act({ kind: 'topic', workspaceId, topicId: required.id }, { isFollowed: false });
      });
    }
  }

  /** Some recipients want nothing for some minutes, of which two change their minds meanwhile. Without draws. */
  async function wishAtFirst(): Promise<void> {
    const startMs = timeline.nowMs();
    const [middleMs, quietMs] = [startMs + Math.floor(scenario.chaosMs / 2), startMs + 60_000];
    for (const { id: workspaceId } of scenario.workspaces) {
      const wish = (path: string, hours: ReceivingHours | null) =>
        act({ kind: 'wish', workspaceId, address: recipientKey(`https://${path}`), hours }, { isFollowed: false });
      await wish('one.example/a', hoursWithout({ fromMs: quietMs, minutes: 5 }));
      await wish('two.example/a', hoursWithout({ fromMs: middleMs, minutes: 3 }));
      await wish('three.example/a', hoursWithout({ fromMs: middleMs, minutes: 4 }));
      timeline.at(middleMs + 70_000, () => {
        void wish('three.example/a', null);
        void wish('one.example/b', hoursWithout({ fromMs: middleMs + 60_000, minutes: 4 }));
      });
    }
  }

  /** Somebody to whom a message is to be sent, after its claim and before its attempt has begun or its turn has come. */
  function beforeBegin(event: EventContent): Waiting | null {
    const waiting =
      event.kind === 'claim' ? event.claim.started.flatMap(({ run, begun }) => [...run.overflow, ...begun]) : [];
    const [one] = random.shuffled(event.kind === 'begin' ? event.begun : waiting);
    const workspaceId =
      event.kind === 'begin'
        ? event.job.workspaceId
        : event.kind === 'claim'
          ? event.claim.started[0]?.run.job.workspace_id
          : undefined;
    if (one === undefined || workspaceId === undefined) return null;
    return { workspaceId, channel: z.enum(channelTypes).parse(one.channel), recipient: recipientKey(one.recipient) };
  }

  async function leaveBeforeBegin(event: EventContent): Promise<void> {
    const one = beforeBegin(event);
    if (one !== null) await act({ kind: 'suppress', ...one, covers: 'optional', topicId: null, seconds: null });
  }

  /** What they said about being written to becomes known; it may be older than what is known. Of many begun at once the last waits longest for its destination. */
  async function speakBeforeBegin(event: EventContent): Promise<void> {
    const last = event.kind === 'claim' ? event.claim.started.at(-1)?.begun.at(-1) : undefined;
    const one = beforeBegin(event);
    if (one === null) return;
    const recipient = last === undefined ? one.recipient : recipientKey(last.recipient);
    const channel = last === undefined ? one.channel : last.channel;
    await act({
      kind: 'consent',
      ...one,
      recipient,
      channel,
      word: someConsent(random, { now: now(), of: one.workspaceId }),
    });
  }

  /** A provider reports a message as failed that it has accepted, or may have; or somebody has another number meanwhile. */
  async function actOnChains(jobId: string | null = null): Promise<void> {
    const rows = await timeline.during(backend.look());
    if (random.chance(0.25)) return act(changedNumber(random, random.pick(asFilled(scenario.workspaces)).id));
    const sent = rows.deliveries.filter(({ status }) => status === 'accepted' || status === 'unknown');
    const own = sent.filter((row) => row.job_id === jobId);
    const [row] = random.shuffled(own.length > 0 ? own : sent.slice(-12));
    if (row === undefined) return;
    reported += 1;
    const { workspace_id: workspaceId, job_id: of, id: deliveryId, channel, recipient } = row;
    await act({
      kind: 'report',
      workspaceId,
      jobId: of,
      deliveryId,
      channel,
      recipient,
      reportId: `report-${reported}`,
    });
  }

  /** A user who has just made a change often changes it again. */
  function followUp(done: Act): void {
    const again = changedMind(done, { random, ...scenario });
    if (again === null) return;
    const atMs = timeline.nowMs() + random.pick([0, 50, 2_000, 30_000, 200_000]);
    timeline.at(atMs, () => {
      if (world.isChaos()) void act(again(now()));
    });
  }

  return {
    async begin() {
      if (hasOptOuts) await leaveAtFirst();
      if (scenario.seed % 6 === 1) await wishAtFirst();
      if (scenario.hasConsents)
        for (const { id } of scenario.workspaces)
          for (const wanted of firstConsents(id, now())) await act(wanted, { isFollowed: false });
      if (!scenario.hasContacts) return;
      for (const { id } of scenario.workspaces) for (const wanted of firstContacts(random, id)) await act(wanted);
    },
    async restoreWorkspaces() {
      if (!scenario.hasPauses) return;
      for (const { id: workspaceId } of scenario.workspaces)
        await act({ kind: 'deleteWorkspace', workspaceId, isDeleted: false });
    },
    async write() {
      const { id: workspaceId } = random.pick(asFilled(scenario.workspaces));
      written += 1;
      await act({
        kind: 'write',
        workspaceId,
        input: someReminder(random, {
          name: `R${written}`,
          now: now(),
          workspaceId,
          hasContacts: scenario.hasContacts,
          hasChains: scenario.hasChains,
        }),
      });
    },
    async actSomehow() {
      if (random.chance(0.1)) return this.write();
      if (scenario.hasChains && random.chance(0.5)) return actOnChains();
      if (scenario.hasContacts && random.chance(0.4))
        return act(someContactAct(random, random.pick(asFilled(scenario.workspaces)).id));
      if (scenario.hasPauses && random.chance(0.15))
        return act(pauseOrResume(random, random.pick(asFilled(scenario.workspaces)).id));
      const rows = await timeline.during(backend.look());
      const jobs = rows.jobs.filter((job) => isInteresting(job, now()));
      const [job] = random.shuffled(jobs);
      const [reminder] = random.shuffled(rows.reminders.filter(({ status }) => status !== 'deleted'));
      if (job !== undefined && random.chance(0.5)) return act(actOnJob(job, random));
      if (reminder !== undefined) return act(actOnReminder(reminder, { random, rows, now: now(), scenario }));
    },
    async actOn(event) {
      const id = jobIn(event);
      if (id === null) return;
      if (hasOptOuts && random.chance(0.4)) return leaveBeforeBegin(event);
      if (scenario.hasConsents && random.chance(0.7)) return speakBeforeBegin(event);
      if (scenario.hasChains && random.chance(0.6)) return actOnChains(id);
      const rows = await timeline.during(backend.look());
      const job = rows.jobs.find((one) => one.id === id);
      if (job === undefined) return;
      if (scenario.hasContacts && random.chance(0.4)) return act(someContactAct(random, job.workspace_id));
      if (scenario.hasPauses && random.chance(0.2)) return act(pauseOrResume(random, job.workspace_id));
      const reminder = rows.reminders.find((one) => one.id === job.reminder_id);
      if (reminder === undefined || random.chance(0.5)) return act(actOnJob(job, random));
      return act(actOnReminder(reminder, { random, rows, now: now(), scenario }));
    },
  };
}

/** Entries of every kind for the recipients that reminders are sent to over webhooks. */
const firstOptOuts = (workspaceId: string): Act[] =>
  ['one.example/a', 'one.example/b', 'two.example/a', 'two.example/b', 'three.example/a'].flatMap((path, at) => {
    const coverage = everyCoverage(workspaceId)[at];
    const of = {
      kind: 'suppress',
      workspaceId,
      channel: 'webhook',
      recipient: recipientKey(`https://${path}`),
    } as const;
    return coverage === undefined ? [] : [{ ...of, ...coverage }];
  });

/** For less than a minute up to hours. */
const pauseOrResume = (random: Random, workspaceId: string): Act =>
  random.chance(0.3)
    ? { kind: 'deleteWorkspace', workspaceId, isDeleted: random.chance(0.6) }
    : { kind: 'pauseAll', workspaceId, seconds: random.pick([0, 1, 45, 300, 900, 7_200]) };

/** Excludes jobs that ended long ago. */
const isInteresting = (job: JobRow, now: Temporal.Instant) =>
  job.completed_at === null || job.completed_at > isoOf(now.subtract({ minutes: 20 }));

function jobIn(event: EventContent): string | null {
  switch (event.kind) {
    case 'claim':
      return event.claim.started[0]?.run.job.id ?? null;
    case 'begin':
      return event.job.id;
    case 'owned':
      return [...event.jobIds][0] ?? null;
    case 'record':
      return event.batch.outcomes[0]?.job.id ?? null;
    case 'rescue':
      return event.lost[0]?.attempt.job_id ?? null;
    case 'act':
    case 'schedule':
    case 'request':
    case 'worker':
    case 'gap':
    case 'log':
      return null;
    default:
      return event satisfies never;
  }
}

const actions: readonly JobAction[] = ['pause', 'resume', 'retry', 'cancel'];

function actOnJob(job: JobRow, random: Random): Act {
  const [action = 'cancel'] = random.shuffled(actions.filter((one) => isOffered(one, job)));
  return { kind: 'job', workspaceId: job.workspace_id, jobId: job.id, action };
}

function actOnReminder(
  reminder: ReminderRow,
  { random, rows, now, scenario }: { random: Random; rows: Rows; now: Temporal.Instant; scenario: World['scenario'] },
): Act {
  const { workspace_id: workspaceId, id: reminderId, name } = reminder;
  const of = { workspaceId, reminderId };
  const { hasContacts, hasChains } = scenario;
  const rewritten = someReminder(random, { name, now, workspaceId, hasContacts, hasChains });
  const line = random.shuffled(rows.deliveries.filter((row) => row.workspace_id === workspaceId))[0];
  const [channel] = random.shuffled(scenario.channels.filter((one) => one.workspace_id === workspaceId));
  const to = reminder.status === 'active' ? 'paused' : 'active';
  const dice = random.next();
  if (dice < 0.35) return { kind: 'switch', ...of, to };
  if (dice < 0.5) return { kind: 'edit', ...of, input: rewritten };
  if (dice < 0.65) return { kind: 'edit', ...of, input: { ...rewritten, schedule_config: reminder.schedule_config } };
  if (dice < 0.7) return { kind: 'delete', ...of };
  if (dice < 0.78) return { kind: 'test', ...of, recipients: ['https://one.example/test', 'https://two.example/test'] };
  if (dice < 0.88 && line !== undefined)
    return {
      kind: 'suppress',
      workspaceId,
      channel: line.channel,
      recipient: recipientKey(line.recipient),
      ...someCoverage(workspaceId, { from: String(dice) }),
    };
  if (dice < 0.96 && channel !== undefined)
    return { kind: 'channel', workspaceId, channelId: channel.id, isActive: random.chance(0.5) };
  const miss = random.chance(0.5);
  const [required] = topicsOf(workspaceId).slice(-1);
  // One workspace in a few: else nothing would stay required for long.
  if (required !== undefined && dice > 0.99) return { kind: 'topic', workspaceId, topicId: required.id };
  return { kind: 'prefer', workspaceId, miss };
}

function changedMind(
  done: Act,
  { random, hasContacts, hasChains }: { random: Random; hasContacts: boolean; hasChains: boolean },
): ((now: Temporal.Instant) => Act) | null {
  switch (done.kind) {
    case 'switch':
      return () => ({ ...done, to: done.to === 'active' ? 'paused' : 'active' });
    case 'job': {
      const action = { pause: 'resume', resume: 'cancel', cancel: 'retry', retry: 'cancel' } as const;
      return () => ({ ...done, action: action[done.action] });
    }
    case 'edit':
      return (now) => {
        const { workspaceId } = done;
        return {
          ...done,
          input: someReminder(random, { name: done.input.name, now, workspaceId, hasContacts, hasChains }),
        };
      };
    case 'suppress':
      return () => ({ ...done, kind: 'unsuppress' });
    case 'channel':
      return () => ({ ...done, isActive: !done.isActive });
    case 'delete':
      return () => ({ ...done, kind: 'restore' });
    case 'deleteWorkspace':
      return done.isDeleted ? () => ({ ...done, isDeleted: false }) : null;
    case 'contact':
    case 'group':
      return () => someContactAct(random, done.workspaceId);
    case 'write':
    case 'restore':
    case 'test':
    case 'unsuppress':
    case 'prefer':
    case 'consent':
    case 'wish':
    case 'topic':
    case 'pauseAll':
    case 'report':
      return null;
    default:
      return done satisfies never;
  }
}
