import { actsIn, plainRecipient } from '#simulation/evidence.ts';
import type { Event, Moment } from '#simulation/history.ts';
import type { Act, JobView } from '#simulation/people.ts';

/** The period in which something must not be sent; `until` is null when it has no end. */
export type Ban = {
  from: Moment;
  until: Moment | null;
  /** When it ends by itself, at the earliest and at the latest: a pause is counted from within its act. */
  ends?: { fromMs: number; untilMs: number };
  why: string;
};

/**
 * Two acts at once may be recorded in another order than the database committed them, and neither sees what the other has changed. An act on
 * a job that leaves it pending therefore ends a ban that came while the act was under way.
 */
export function bansIn(events: readonly Event[]) {
  const jobs = new Map<string, Ban[]>();
  /** By `coverageKey`. */
  const recipients = new Map<string, Ban[]>();
  /** When a topic was made optional. */
  const optional = new Map<string, Moment>();
  const channels = new Map<string, Ban[]>();
  const workspaces = new Map<string, Ban[]>();
  for (const moment of actsIn(events)) {
    const { act, done, since } = moment;
    const ban = (bans: Map<string, Ban[]>, key: string, why: string, seconds: number | null = null) => {
      const known = bans.get(key) ?? [];
      const ends = seconds !== null && {
        ends: { fromMs: since.atMs + seconds * 1_000, untilMs: moment.atMs + seconds * 1_000 },
      };
      if (known.at(-1)?.until !== null) bans.set(key, [...known, { from: moment, until: null, ...ends, why }]);
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
      else if (
        job.status === 'pending' &&
        (was?.status !== 'pending' || isOvertaken(jobs.get(job.id), { act, job, since }))
      )
        lift(jobs, job.id);
      before.delete(job.id);
    }
    for (const id of before.keys()) ban(jobs, id, 'its job was deleted');
    if (act.kind === 'suppress') {
      const what = act.seconds === null ? act.covers : 'pause';
      ban(recipients, coverageKey(recipientOf(act), act), `the recipient was suppressed (${what})`, act.seconds);
    }
    if (act.kind === 'unsuppress') lift(recipients, coverageKey(recipientOf(act), act));
    if (act.kind === 'topic' && !optional.has(act.topicId)) optional.set(act.topicId, moment);
    if (act.kind === 'deleteWorkspace' && act.isDeleted) ban(workspaces, act.workspaceId, 'the workspace was deleted');
    if (act.kind === 'deleteWorkspace' && !act.isDeleted) lift(workspaces, act.workspaceId);
    if (act.kind === 'channel' && act.isActive) lift(channels, act.channelId);
    if (act.kind === 'channel' && !act.isActive) ban(channels, act.channelId, 'the channel was off');
  }
  return { jobs, recipients, optional, channels, workspaces };
}

/** The ban came while this act on the job, or on its reminder, was under way. */
const isOvertaken = (
  bans: readonly Ban[] | undefined,
  { act, job, since }: { act: Act; job: JobView; since: Moment },
) =>
  (bans?.at(-1)?.from.order ?? 0) > since.order &&
  (('jobId' in act && act.jobId === job.id) || ('reminderId' in act && act.reminderId === job.reminder_id));

export const recipientOf = (of: { workspaceId: string; channel: string; recipient: string }) =>
  `${of.workspaceId} ${of.channel} ${plainRecipient(of.recipient)}`;

/** The key of what an entry covers for a recipient. */
export const coverageKey = (
  recipient: string,
  { covers, topicId, seconds = null }: { covers: string; topicId: string | null; seconds?: number | null },
) => `${recipient} ${seconds === null ? covers : 'pause'} ${topicId ?? ''}`;
