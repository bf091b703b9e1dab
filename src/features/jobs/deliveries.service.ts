import { z } from 'zod';
import type { RecipientGroup } from '#contract/job-states.ts';
import type { DeliveryWithTimeline } from '#contract/deliveries.ts';
import type { Job } from '#contract/jobs.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { rankOf } from '#domain/recipient-groups.ts';
import { timelineOf } from '#domain/timeline.ts';
import { AttemptHistory } from '#features/jobs/attempt-history.ts';
import * as rows from '#features/jobs/deliveries.db.ts';
import { getJobWithRevision } from '#features/jobs/jobs.service.ts';
import type { TenantContext } from '#platform/context.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { pageOf } from '#platform/page.ts';

type PageQuery = { limit: number; cursor?: string };
export type LedgerQuery = PageQuery & {
  group?: RecipientGroup;
  search?: string;
  order?: 'newest' | 'problems_first';
} & Person;

/** One person of a run: a contact's id, or an address or number. */
export type Person = { contact?: string; recipient?: string };

export async function listDeliveries(ctx: TenantContext, query: LedgerQuery & { id: string }) {
  return withoutAge((await readDeliveries(ctx, query)).page);
}

/** A page of the ledger with its job, and of each delivery the hash of the message that was sent. Throws NotFound. */
export async function readDeliveries(ctx: TenantContext, { id, cursor, ...query }: LedgerQuery & { id: string }) {
  const job = await getJobWithRevision(ctx, id);
  const isRanked = query.order === 'problems_first';
  const page = { ...query, jobId: id, after: decodeCursor(cursor, isRanked ? CursorRank : undefined) };
  // Read before the ledger: a delivery that is inserted in between appears in both, and not in neither.
  const running = job.status === 'running' ? await rows.findRunningAttempts(ctx.db, page) : [];
  const ledger = await rows.findDeliveries(ctx.db, { ...page, workspaceId: ctx.workspaceId });
  const recorded = new Set(ledger.rows.map((delivery) => delivery.id));
  const found = [
    ...ledger.rows,
    ...running.filter((attempt) => !recorded.has(attempt.id)).map((attempt) => inLedger(attempt, job)),
  ];
  // Both lists are in this order.
  found.sort((a, b) => (isRanked ? rankOf(a.status) - rankOf(b.status) : 0) || (a.id < b.id ? 1 : -1));
  // When the page of the ledger ends early, later rows belong to the next page.
  const end = ledger.isMore ? found.findIndex(({ id: each }) => each === ledger.rows.at(-1)?.id) + 1 : found.length;
  const lines = found.slice(0, Math.min(end, query.limit));
  return {
    job,
    hashes: new Map(lines.map(({ id: of, content_hash: hash }) => [of, hash])),
    page: pageOf(
      {
        rows: lines.map((row) => ({ ...asSeenBy(ctx, withTimeline(row)), created_at: row.created_at })),
        isMore: ledger.isMore || lines.length < found.length,
      },
      { at: (delivery) => (isRanked ? String(rankOf(delivery.status)) : delivery.created_at) },
    ),
  };
}

const CursorRank = z.string().regex(/^[0-3]$/);

/** The deliveries to a person, newest first. */
export async function listDeliveriesToPerson(
  ctx: TenantContext,
  { cursor, ...query }: PageQuery & rows.Addressee & { channel?: ChannelType },
) {
  const found = await rows.findDeliveriesToPerson(ctx.db, {
    ...query,
    workspaceId: ctx.workspaceId,
    after: decodeCursor(cursor),
  });
  const lines = found.rows.map(({ job_name: name, job_type: type, reminder_id, ...row }) => ({
    ...asSeenBy(ctx, withTimeline(row)),
    job: { name, type, reminder_id },
    created_at: row.created_at,
  }));
  return withoutAge(pageOf({ rows: lines, isMore: found.isMore }, { at: (delivery) => delivery.created_at }));
}

/** The age of a row is needed only to decide where a page ends. */
const withoutAge = <Row extends { created_at: string }>({
  data,
  ...page
}: {
  data: Row[];
  next_cursor: string | null;
}) => ({
  ...page,
  data: data.map(({ created_at: _, ...line }) => line),
});

type LedgerRow = Awaited<ReturnType<typeof rows.findDeliveries>>['rows'][number];

function withTimeline({
  attempt_history: history,
  answered_at,
  content_hash: _,
  created_at: __,
  ...row
}: LedgerRow): DeliveryWithTimeline {
  return { ...row, timeline: timelineOf({ ...row, answered_at }, AttemptHistory.parse(history)) };
}

/** A webhook's answer may come from an internal address: members see its status, and admins its text as well. */
function asSeenBy({ role }: TenantContext, delivery: DeliveryWithTimeline): DeliveryWithTimeline {
  if (role !== 'member' || delivery.channel !== 'webhook') return delivery;
  const timeline = delivery.timeline.map((event) => {
    if (event.kind === 'attempt') return { ...event, provider_answer: statusIn(event.provider_answer) };
    return event.kind === 'report' ? { ...event, words: statusIn(event.words) } : event;
  });
  return { ...delivery, provider_answer: statusIn(delivery.provider_answer), timeline };
}

const statusIn = (answer: string | null) => answer?.match(/^HTTP \d{3}/)?.[0] ?? null;

/** A running attempt, as the ledger will store it. */
const inLedger = (
  { began_at: beganAt, ...attempt }: Awaited<ReturnType<typeof rows.findRunningAttempts>>[number],
  job: Job,
): LedgerRow => ({
  ...attempt,
  contact_id: null,
  through: null,
  by_preference: false,
  job_id: job.id,
  status: 'sending',
  attempts: 1,
  reason: null,
  reason_code: null,
  reason_params: null,
  channel_id: null,
  provider: null,
  provider_id: null,
  provider_answer: null,
  scheduled_for: job.scheduled_for,
  first_attempt_at: beganAt,
  last_attempt_at: beganAt,
  next_attempt_at: null,
  completed_at: null,
  answered_at: null,
  attempt_history: null,
  content_hash: null,
  created_at: beganAt,
});
