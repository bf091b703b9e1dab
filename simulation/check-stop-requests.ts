import { type Begun, begunIn, sentIn } from '#simulation/attempts.ts';
import { actsIn, type Evidence, eventsOf, plainRecipient } from '#simulation/evidence.ts';
import type { Call, Event, Moment } from '#simulation/history.ts';

/** The period in which something must not be sent; `until` is null when it has no end. */
type Ban = { from: Moment; until: Moment | null; why: string };

/** A confirmation by the database that an attempt may begin or continue. The next request relies on it. */
type Permit = { call: Call; done: Moment };

/**
 * No attempt starts after the commit of a cancel, a pause, an edit, a suppression, the switching off of its channel or the deletion of
 * its workspace.
 * An attempt relies on the last confirmation of its worker by the database: the claim, the beginning of the attempt or,
 * after waiting in line, the check that the worker still owns the job. An attempt that was confirmed before the commit
 * is in flight, and allowed.
 */
export function checkStopRequests(evidence: Evidence): string[] {
  const begun = begunIn(evidence);
  const bans = bansIn(evidence.events);
  const owned = eventsOf(evidence.events, 'owned');
  const { late, freezes } = evidence.scenario.workerFaults;
  const isPunctual = late === 0 && freezes === 0;
  const faults = begun.flatMap((one) =>
    [bans.jobs.get(one.jobId), bans.workspaces.get(one.workspaceId)]
      .flatMap((some) => bannedBy(some, { call: one.call, done: one.done }))
      .map((why) => `attempt ${one.attempt} at ${one.line} began: ${why}`),
  );
  for (const { begun: one, request, line } of sentIn(evidence, begun)) {
    if (one === null) continue;
    const word = lastWord(one, { owned, asked: request.asked });
    const whys = [
      bans.jobs.get(one.jobId),
      bans.recipients.get(recipientOf(one)),
      bans.workspaces.get(one.workspaceId),
      bans.channels.get(request.request.channelId ?? ''),
    ].flatMap((some) => bannedBy(some, word));
    faults.push(...whys.map((why) => `${line} was sent to: ${why}`));
    const own = evidence.scenario.channels.filter((channel) => channel.workspace_id === one.workspaceId);
    if (own.some(({ type }) => type === one.channel) && request.request.channelId === null)
      faults.push(`${line} was sent to past the workspace's own channel`);
    if (isPunctual && isStale(word, request.asked))
      faults.push(`${line} was sent to on a confirmation that had expired`);
  }
  return faults;
}

const recipientOf = (of: { workspaceId: string; channel: string; recipient: string }) =>
  `${of.workspaceId} ${of.channel} ${plainRecipient(of.recipient)}`;

/** In force from before the confirmation was requested until after it was given. */
const bannedBy = (bans: readonly Ban[] | undefined, { call, done }: Permit): string[] =>
  (bans ?? [])
    .filter(({ from, until }) => from.order < call.since.order && (until === null || until.order > done.order))
    .map(({ why }) => why);

function lastWord(
  begun: Begun,
  { owned, asked }: { owned: readonly Extract<Event, { kind: 'owned' }>[]; asked: Moment },
): Permit {
  const later = owned.filter(
    ({ call, claimId, jobIds }) =>
      claimId === begun.claimId &&
      jobIds.has(begun.jobId) &&
      call.worker === begun.call.worker &&
      call.answered !== null &&
      call.answered.order < asked.order &&
      call.since.order > (begun.call.answered?.order ?? Infinity),
  );
  const last = later.at(-1);
  return last === undefined ? begun : { call: last.call, done: last };
}

/** When calls take no time, a confirmation is valid for a tenth of a second, whatever clocks say. */
const isStale = ({ call }: Permit, asked: Moment) =>
  call.answered?.steadyMs !== asked.steadyMs && asked.steadyMs - call.since.steadyMs > 100;

function bansIn(events: readonly Event[]) {
  const jobs = new Map<string, Ban[]>();
  const recipients = new Map<string, Ban[]>();
  const channels = new Map<string, Ban[]>();
  const workspaces = new Map<string, Ban[]>();
  for (const moment of actsIn(events)) {
    const { act, done, since } = moment;
    const ban = (bans: Map<string, Ban[]>, key: string, why: string) => {
      const known = bans.get(key) ?? [];
      if (known.at(-1)?.until !== null) bans.set(key, [...known, { from: moment, until: null, why }]);
    };
    const lift = (bans: Map<string, Ban[]>, key: string) => {
      const last = bans.get(key)?.at(-1);
      if (last !== undefined) last.until ??= since;
    };
    const before = new Map(done.before.map((job) => [job.id, job]));
    for (const job of done.after) {
      const was = before.get(job.id);
      if (job.status === 'paused' || job.status === 'cancelled' || job.stop_reason !== null)
        ban(jobs, job.id, `it was ${job.stop_reason ?? job.status} (${act.kind})`);
      else if (job.status === 'pending' && was?.status !== 'pending') lift(jobs, job.id);
      before.delete(job.id);
    }
    for (const id of before.keys()) ban(jobs, id, 'its job was deleted');
    if (act.kind === 'suppress') ban(recipients, recipientOf(act), 'the recipient was suppressed');
    if (act.kind === 'unsuppress') lift(recipients, recipientOf(act));
    if (act.kind === 'deleteWorkspace' && act.isDeleted) ban(workspaces, act.workspaceId, 'the workspace was deleted');
    if (act.kind === 'deleteWorkspace' && !act.isDeleted) lift(workspaces, act.workspaceId);
    if (act.kind === 'channel' && act.isActive) lift(channels, act.channelId);
    if (act.kind === 'channel' && !act.isActive) ban(channels, act.channelId, 'the channel was off');
  }
  return { jobs, recipients, channels, workspaces };
}
