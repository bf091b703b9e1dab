import type { Reason } from '#domain/ledger-reasons.ts';
import type { ClaimDecision } from '#engine/run/claim-decision.ts';
import { keyInWorkspace } from '#engine/run/contacts.ts';
import type { ChannelRow } from '#engine/run/routes.ts';
import type { LedgerRow } from '#engine/run/live-delivery.ts';
import { mayBeSent } from '#domain/may-be-sent.ts';
import { consentIn } from '#domain/newest-consent.ts';
import type { Addressed, ClaimRequest, Found, Skip } from '#engine/store.ts';
import type { ClaimedJob } from '#engine/run/claimed-job.ts';
import { isOpen, ledgerOf, lineIn, newLine, putLine } from '#simulation/lines.ts';
import { dequeue, type NewJobId, positionOf, schedule } from '#simulation/model-jobs.ts';
import { takeCapacity } from '#simulation/model-sent-counts.ts';
import { audienceNow, contactAt, contactsOf } from '#simulation/model-contacts.ts';
import { type DeliveryRow, isoOf, type JobRow, type QueueRow, type Tables } from '#simulation/tables.ts';

/** The jobs that a claim takes, in the order requested. */
export function dueJobs(tables: Tables, { now, order, maxJobs, except }: ClaimRequest): JobRow[] {
  const at = isoOf(now);
  const due = [...tables.queue.values()].filter((row) => row.run_at <= at && isTakable(tables, row)).sort(byTime);
  return chosenOf(due, { order, except })
    .slice(0, maxJobs)
    .flatMap((row) => tables.jobs.get(row.job_id) ?? []);
}

function chosenOf(due: readonly QueueRow[], { order, except }: Pick<ClaimRequest, 'order' | 'except'>): QueueRow[] {
  const others = due.filter((row) => !row.awaits_audience);
  switch (order.by) {
    case 'due':
      return others;
    case 'round_robin':
      return serialize(others, { ...order, except });
    case 'audience':
      return due.filter((row) => row.awaits_audience && row.workspace_id === order.workspaceId);
    default:
      return order satisfies never;
  }
}

function isTakable(tables: Tables, row: QueueRow): boolean {
  const job = tables.jobs.get(row.job_id);
  return job?.status === 'pending' && job.run_at === row.run_at && !isDeleted(tables, row);
}

export const isDeleted = ({ workspaces }: Tables, row: { workspace_id: string }) =>
  workspaces.get(row.workspace_id)?.is_deleted === true;

const byTime = (a: QueueRow, b: QueueRow) => (a.run_at < b.run_at ? -1 : a.run_at > b.run_at ? 1 : 0);

function serialize(
  due: readonly QueueRow[],
  { except, perWorkspace, after }: { except: readonly string[]; perWorkspace: number; after: string },
): QueueRow[] {
  const byWorkspace = Map.groupBy(due, (row) => row.workspace_id);
  const ids = [...byWorkspace.keys()].filter((id) => !except.includes(id)).sort();
  const inOrder = [...ids.filter((id) => id > after), ...ids.filter((id) => id <= after)];
  return inOrder.flatMap((id) => (byWorkspace.get(id) ?? []).slice(0, perWorkspace));
}

/** A due job as the claim returns it. Nothing is written yet. */
export function asClaimed(tables: Tables, { job, now }: { job: JobRow; now: Temporal.Instant }): ClaimedJob {
  const found = job.reminder_id === null ? undefined : tables.reminders.get(job.reminder_id);
  const status = found?.status ?? 'deleted';
  const reminder = status === 'deleted' ? undefined : found;
  return {
    id: job.id,
    workspace_id: job.workspace_id,
    reminder_id: job.reminder_id,
    name: job.name,
    type: job.type,
    scheduled_for: job.scheduled_for,
    attempts: job.attempts + 1,
    revision: job.revision,
    expires_at: job.expires_at,
    due_at: job.run_at === job.scheduled_for ? null : job.run_at,
    begun_at: job.started_at === isoOf(now) ? null : job.started_at,
    stop_reason: job.stop_reason,
    reason_code: job.reason_code,
    // The simulation has no events.
    event_id: null,
    payload: job.payload,
    reminder_status: status === 'deleted' ? null : status,
    reminder_revision: reminder?.revision ?? null,
    schedule_config: reminder?.schedule_config ?? null,
    content: reminder?.content ?? null,
    metadata: reminder?.metadata ?? null,
  };
}

export function foundIn(tables: Tables, { jobs, now }: { jobs: ClaimedJob[]; now: Temporal.Instant }): Found {
  const ids = [...new Set(jobs.map((job) => job.workspace_id))];
  return {
    jobs,
    async workspaces(limitedTiers) {
      const known = ids.flatMap((id) => tables.workspaces.get(id) ?? []);
      for (const { id, tier } of known) {
        if (limitedTiers.includes(tier)) count(tables, { workspaceId: id, now, occurrences: 0 });
      }
      const facts = known.map(({ name, is_deleted: _, ...workspace }) => ({
        ...workspace,
        company_name: name,
        avatar_url: null,
        mail_color: null,
        postal_line: null,
        // The model sends nothing over a network.
        signing: null,
        is_demo: false,
        demo_sent: null,
        has_suppressions: tables.suppressions.some((row) => row.workspace_id === workspace.id),
        required_topics: Object.fromEntries(
          [...tables.topics.values()].flatMap(({ id, workspace_id: of, kind }) =>
            of === workspace.id && kind === 'required' ? [[id, 'law' as const]] : [],
          ),
        ),
        erasure_secret: null,
        has_contacts: contactsOf(tables, workspace.id).length > 0,
        has_wishes: [...tables.wishes.keys()].some((key) => key.startsWith(workspace.id)),
        // Nobody is excluded in the simulation.
        has_exclusions: false,
        // The model has no sending hours: a delivery that waits for them waits like a retry.
        sending_hours: null,
        // Nobody owns the workspaces of the simulation.
        is_beyond_plan: false,
        used: tables.usage.get(`${workspace.id} ${monthOf(now)}`)?.occurrences ?? 0,
      }));
      return { facts, channels: channelsOf(tables, ids) };
    },
    suppressed: async (asked) => forbiddenAmong(tables, { asked, now }),
    takeCapacity: async (asked) => takeCapacity(tables, { asked, now }),
    exclusions: async () => new Map(),
    wishes: async (asked) =>
      new Map(
        asked.flatMap(({ workspaceId, key: address }) => {
          const key = keyInWorkspace(workspaceId, address);
          const hours = tables.wishes.get(key);
          return hours === undefined ? [] : [[key, hours]];
        }),
      ),
    contacts: async (asked) => new Map(asked.flatMap((one) => contactAt(tables, one))),
    audience: async (asked) => audienceNow(tables, asked),
    async ledger(again) {
      return again.flatMap((job) => ledgerOf(tables, job).map(shown));
    },
  };
}

const shown = (row: DeliveryRow): LedgerRow => ({
  job_id: row.job_id,
  id: row.id,
  channel: row.channel,
  recipient: row.recipient,
  recipient_name: row.recipient_name,
  status: row.status,
  attempts: row.attempts,
  unknowns: row.unknowns,
  first_attempt_at: row.first_attempt_at,
  next_attempt_at: row.next_attempt_at,
  reason: row.reason,
  reason_code: row.reason_code,
  reason_params: row.reason_params,
  contact_id: row.contact_id,
  through: row.through,
  has_failed_late: row.has_failed_late,
});

/** Those of these messages that the suppression list or a lacking consent forbids, by their positions. */
export const forbiddenAmong = (
  tables: Tables,
  { asked, now }: { asked: readonly Addressed[]; now: Temporal.Instant },
): Map<number, Skip> =>
  new Map(
    asked.flatMap(({ workspaceId, channel, key, topicId, occasion, needsConsent }, at): [number, Skip][] => {
      const isTheirs = (row: { workspace_id: string; channel: string; recipient: string }) =>
        row.workspace_id === workspaceId && row.channel === channel && row.recipient === key;
      const entries = tables.suppressions.filter(isTheirs);
      const kind = topicId === null ? null : (tables.topics.get(topicId)?.kind ?? null);
      const consent = needsConsent ? consentIn(tables.consents.filter(isTheirs), { topicId, kind }) : 'not_needed';
      const verdict = mayBeSent({ topicId, kind, occasion }, { entries, consent, nowMs: now.epochMilliseconds });
      return verdict.kind === 'skip' ? [[at, verdict]] : [];
    }),
  );

/** Whether the workspace requires a consent for the channel. */
export const needsConsent = (
  { workspaces }: Tables,
  { workspaceId, channel }: Pick<Addressed, 'workspaceId' | 'channel'>,
): boolean => workspaces.get(workspaceId)?.consent_for.includes(channel) === true;

export const channelsOf = (tables: Tables, workspaceIds: readonly string[]): ChannelRow[] =>
  [...tables.channels.values()]
    .filter((channel) => workspaceIds.includes(channel.workspace_id))
    .sort((a, b) => (a.updated_at < b.updated_at ? 1 : -1));

const monthOf = (now: Temporal.Instant) => `${now.toString().slice(0, 7)}-01`;

function count(
  tables: Tables,
  { workspaceId, now, occurrences }: { workspaceId: string; now: Temporal.Instant; occurrences: number },
): void {
  const key = `${workspaceId} ${monthOf(now)}`;
  const before = tables.usage.get(key)?.occurrences ?? 0;
  tables.usage.set(key, { workspace_id: workspaceId, month: monthOf(now), occurrences: before + occurrences });
}

const said = (reason: Reason | null) => ({
  reason: reason?.reason ?? null,
  reason_code: reason?.code ?? null,
  reason_params: reason?.params ?? null,
});

/** Writes what a claim took and decided. */
export function writeClaim(
  tables: Tables,
  { claim, request, newId }: { claim: ClaimDecision; request: ClaimRequest; newId: NewJobId },
): void {
  const now = isoOf(request.now);
  for (const { run } of claim.started) {
    const job = tables.jobs.get(run.job.id);
    if (job === undefined) continue;
    dequeue(tables, job);
    Object.assign(job, { status: 'running', attempts: job.attempts + 1, claim_id: claim.id });
    job.started_at ??= now;
  }
  for (const id of claim.left) {
    const job = tables.jobs.get(id);
    const row = job && tables.queue.get(positionOf({ job_id: id, workspace_id: job.workspace_id, run_at: job.run_at }));
    if (row !== undefined) row.awaits_audience = true;
  }
  if (claim.started.length > 0) addClaim(tables, { claim, request });
  schedule(tables, { nextOccurrences: claim.nextOccurrences, newId });
  for (const { job, reason, ...row } of claim.rows) {
    const completed_at = row.status === 'skipped' ? now : null;
    const { id: job_id, workspace_id, scheduled_for } = job;
    putLine(tables, newLine({ ...row, ...said(reason), job_id, workspace_id, scheduled_for, completed_at }));
  }
  for (const { job, channel, recipient, status, ...reason } of claim.closed) {
    const row = lineIn(tables, { job, channel, recipient });
    if (row !== undefined && isOpen(row))
      Object.assign(row, { status, ...said(reason), has_failed_late: false, completed_at: now, next_attempt_at: null });
  }
  for (const key of claim.reopened) {
    const row = lineIn(tables, key);
    const anew = { attempts: 0, unknowns: 0, ...said(null), completed_at: null, next_attempt_at: null };
    if (row?.status === 'skipped') Object.assign(row, { status: 'queued', ...anew });
  }
  for (const { job, channel, recipient, ...reason } of claim.continued) {
    const row = lineIn(tables, { job, channel, recipient });
    if (row?.status === 'failed' || row?.status === 'skipped') Object.assign(row, said(reason));
  }
  for (const { workspaceId, occurrences } of claim.usage) count(tables, { workspaceId, now: request.now, occurrences });
}

function addClaim(tables: Tables, { claim, request }: { claim: ClaimDecision; request: ClaimRequest }): void {
  tables.claims.set(claim.id, {
    id: claim.id,
    worker: request.worker,
    lease_until: isoOf(request.leaseUntil),
    job_ids: claim.started.map(({ run }) => run.job.id),
    begun: claim.started.flatMap(({ run, begun }) =>
      begun.map(
        ({ id, channel, recipient, recipient_name: name }): [string, string, typeof channel, string, typeof name] => [
          id,
          run.job.id,
          channel,
          recipient,
          name,
        ],
      ),
    ),
    created_at: isoOf(request.now),
  });
}
