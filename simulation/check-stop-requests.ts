import type { Occasion } from '#domain/may-be-sent.ts';
import { type Begun, begunIn, sentIn } from '#simulation/attempts.ts';
import { type Ban, bansIn, coverageKey, recipientOf } from '#simulation/bans.ts';
import { type Evidence, eventsOf } from '#simulation/evidence.ts';
import { consentsIn, lacksConsent } from '#simulation/check-consents.ts';
import { topicsOf } from '#simulation/topics.ts';
import type { Call, Event, Moment } from '#simulation/history.ts';

/** A confirmation by the database that an attempt may begin or continue. The next request relies on it. */
type Permit = { call: Call; done: Moment };

/**
 * No attempt starts after the commit of a cancel, a pause, an edit, a suppression, the switching off of its channel or the deletion of
 * its workspace, nor over a channel that needs consent without one that was newest.
 * An attempt relies on the last confirmation of its worker by the database: the claim, the beginning of the attempt or,
 * after waiting in line, the check that the worker still owns the job. An attempt that was confirmed before the commit
 * is in flight, and allowed.
 */
export function checkStopRequests(evidence: Evidence): string[] {
  const begun = begunIn(evidence);
  const bans = bansIn(evidence.events);
  const consents = consentsIn(evidence);
  const owned = eventsOf(evidence.events, 'owned');
  const runs = new Map(
    eventsOf(evidence.events, 'claim').flatMap(({ claim }) =>
      claim.started.map(({ run }): [string, typeof run.work] => [`${claim.id} ${run.job.id}`, run.work]),
    ),
  );
  const aboutOf = ({ claimId, jobId }: Begun) =>
    runs.get(`${claimId} ${jobId}`) ?? { topicId: null, occasion: 'reminder' as const };
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
      bans.workspaces.get(one.workspaceId),
      bans.channels.get(request.request.channelId ?? ''),
    ].flatMap((some) => bannedBy(some, word));
    if (lacksConsent(evidence, { of: one, about: aboutOf(one), permit: word, consents }))
      whys.push('no consent was on record');
    whys.push(...leftBy(one, { bans, about: aboutOf(one) }).flatMap((some) => bannedBy(some, word)));
    faults.push(...whys.map((why) => `${line} was sent to: ${why}`));
    const own = evidence.scenario.channels.filter((channel) => channel.workspace_id === one.workspaceId);
    if (own.some(({ type }) => type === one.channel) && request.request.channelId === null)
      faults.push(`${line} was sent to past the workspace's own channel`);
    if (isPunctual && isStale(word, request.asked))
      faults.push(`${line} was sent to on a confirmation that had expired`);
  }
  return faults;
}

/** The bans for what a message is about. Those of a topic count from when it is optional. */
function leftBy(
  one: Begun,
  {
    bans: { recipients, optional },
    about: { topicId, occasion },
  }: { bans: ReturnType<typeof bansIn>; about: { topicId: string | null; occasion: Occasion } },
): (readonly Ban[])[] {
  const recipient = recipientOf(one);
  const found = (covers: string, of: string | null) =>
    recipients.get(coverageKey(recipient, { covers, topicId: of })) ?? [];
  const everything = found('everything', null);
  const isRequired = topicsOf(one.workspaceId).some(({ id, kind }) => id === topicId && kind === 'required');
  const from = isRequired ? optional.get(topicId ?? '') : null;
  if (occasion !== 'reminder' || from === undefined) return [everything];
  const left = [
    ...found('optional', null),
    ...found('pause', null),
    ...(topicId === null ? [] : found('topic', topicId)),
  ];
  const later = ({ from: banned, ...ban }: Ban): Ban => ({
    ...ban,
    from: from !== null && from.order > banned.order ? from : banned,
  });
  return [everything, left.map(later)];
}

/** In force from before the confirmation was requested until after it was given. */
const bannedBy = (bans: readonly Ban[] | undefined, { call, done }: Permit): string[] =>
  (bans ?? [])
    .filter(({ from, until }) => from.order < call.since.order && (until === null || until.order > done.order))
    .filter(({ ends }) => ends === undefined || done.atMs < ends.fromMs)
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
