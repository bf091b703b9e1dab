import { commonWindowFrom } from '#domain/sending-hours.ts';
import type { ReceivingHours } from '#contract/receiving-hours.ts';
import { begunIn, sentIn } from '#simulation/attempts.ts';
import { actsIn, type Evidence, eventsOf, plainRecipient } from '#simulation/evidence.ts';
import type { Moment } from '#simulation/history.ts';
import { topicsOf } from '#simulation/topics.ts';

type Wished = { hours: ReceivingHours | null; since: Moment; done: Moment };

/** A worker that decides on an attempt in time may write it this much later. */
const toleranceMs = 30_000;

/** Nothing optional begins outside of the hours that its recipient wanted when its job was claimed; a wish that comes later is for the next message. */
export function checkWishes(evidence: Evidence): string[] {
  const { events, scenario } = evidence;
  // A worker that was frozen begins what it decided long before.
  if (scenario.workerFaults.late > 0 || scenario.workerFaults.freezes > 0) return [];
  const wishes = wishesIn(evidence);
  if (wishes.size === 0) return [];
  const claims = new Map(eventsOf(events, 'claim').map((event) => [event.claim.id, event]));
  return sentIn(evidence, begunIn(evidence)).flatMap(({ begun, line }) => {
    const claim = begun === null ? undefined : claims.get(begun.claimId);
    const run = claim?.claim.started.find(({ run: { job } }) => job.id === begun?.jobId)?.run;
    if (begun === null || claim === undefined || run?.work.occasion !== 'reminder') return [];
    // It may have become optional meanwhile.
    if (topicsOf(begun.workspaceId).some(({ id, kind }) => id === run.work.topicId && kind === 'required')) return [];
    const own = wishes.get(keyOf({ workspaceId: begun.workspaceId, address: begun.recipient })) ?? [];
    const atMs = begun.call.since.atMs;
    return readableBy(own, { since: claim.call.since, done: claim }).every((hours) => isClosed(hours, atMs))
      ? [`${line} was sent to at an hour that its recipient had not wanted`]
      : [];
  });
}

const keyOf = ({ workspaceId, address }: { workspaceId: string; address: string }) =>
  `${workspaceId} ${plainRecipient(address)}`;

function wishesIn({ events }: Evidence): Map<string, Wished[]> {
  const found = new Map<string, Wished[]>();
  for (const moment of actsIn(events)) {
    const { act, since } = moment;
    if (act.kind !== 'wish') continue;
    found.set(keyOf(act), [...(found.get(keyOf(act)) ?? []), { hours: act.hours, since, done: moment }]);
  }
  return found;
}

/** The wishes that a claim may have read: the last before it, and those of its own time. */
function readableBy(wishes: readonly Wished[], { since, done }: { since: Moment; done: Moment }) {
  const before = wishes.findLast((wish) => wish.done.order < since.order);
  const during = wishes.filter((wish) => wish.done.order > since.order && wish.since.order < done.order);
  return [before?.hours ?? null, ...during.map(({ hours }) => hours)];
}

function isClosed(hours: ReceivingHours | null, atMs: number): boolean {
  if (hours === null) return false;
  const opens = (ms: number) =>
    commonWindowFrom([hours], Temporal.Instant.fromEpochMilliseconds(ms))?.opens.epochMilliseconds ?? ms;
  return opens(atMs) > atMs && opens(atMs - toleranceMs) > atMs - toleranceMs;
}
