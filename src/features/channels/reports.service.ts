import { z } from 'zod';
import type { ChannelType } from '#contract/channel-types.ts';
import type { OptOutReport, Report } from '#delivery/adapter.ts';
import type { AnyAdapter } from '#delivery/load-adapters.ts';
import { codeOfAnswer } from '#domain/answer-codes.ts';
import { type Tally, resultOf } from '#domain/job-state.ts';
import { failedLate } from '#domain/ledger-reasons.ts';
import { isoOf } from '#domain/instants.ts';
import { claimAgainAtMs, expiryMsOf, occurrenceAfter } from '#domain/lifetime.ts';
import { recipientKey } from '#domain/recipients.ts';
import * as rows from '#features/channels/callbacks.db.ts';
import { takeOptOuts } from '#features/channels/opt-outs.ts';
import { isReceived, rememberReport } from '#features/channels/received-reports.db.ts';
import { recordChoices } from '#features/consents/choices.service.ts';
import { erasedAmong } from '#features/erasures/erased-keys.service.ts';
import { announce, wakeDispatchers } from '#platform/changes.ts';
import type { Db } from '#platform/database.ts';
import type { SecretBox } from '#platform/secrets.ts';

type Within = { db: Db; now: string; secrets: SecretBox };

type Taking = { workspaceId: string; adapter: Pick<AnyAdapter, 'type' | 'provider'>; reports: readonly Report[] };

/** Applies reports. Returns the jobs that they have changed, and the reports of messages that are not in the ledger (yet). */
export async function takeKnown(
  within: Within,
  { workspaceId, adapter, reports }: Taking,
): Promise<{ changed: string[]; left: Report[] }> {
  const { db, now } = within;
  const statuses: (StatusReport & { named: rows.Named; found: rows.Found[] })[] = [];
  const optOuts: OptOutReport[] = [];
  for (const report of reports) {
    if ('sender' in report) {
      optOuts.push(report);
      continue;
    }
    const [deliveryId, jobId] = [report.deliveryId, report.jobId].map((id) => z.uuid().safeParse(id).data ?? null);
    const named = {
      workspaceId,
      channel: adapter.type,
      id: report.id,
      deliveryId: deliveryId ?? null,
      jobId: jobId ?? null,
      now,
    };
    statuses.push({ ...report, named, found: await rows.findReported(db, named) });
  }
  await takeOptOuts(within, { workspaceId, adapter, optOuts });
  // Sorted, so that call-backs about the same messages lock them in the same order: first jobs, then deliveries.
  const known = statuses.filter(isKnown).sort((a, b) => (a.id < b.id ? -1 : 1));
  const jobIds = known.flatMap(({ found }) => found.map((row) => row.job_id));
  if (jobIds.length > 0) await rows.lockEnded(db, { workspaceId, ids: [...new Set(jobIds)] });
  const changed = new Map<string, Changed>();
  for (const report of known) {
    const settled = await settle(within, { report, adapter });
    for (const row of settled) {
      const run = `${row.job_id} ${row.scheduled_for}`;
      const { hasFailed, isUncertain } = changed.get(run) ?? { hasFailed: false, isUncertain: false };
      const now = { hasFailed: hasFailed || report.kind === 'failed', isUncertain: isUncertain || row.was_uncertain };
      changed.set(run, { ...row, ...now });
    }
    const bounced =
      report.kind === 'failed' && report.hasNoMailbox ? settled.map((row) => recipientKey(row.recipient)) : [];
    await recordBounces({ ...within, workspaceId, channel: adapter.type }, bounced);
  }
  for (const row of changed.values()) if (row.isUncertain) await goOnOrCorrect(within, { ...row, workspaceId });
  if (changed.size > 0) await announce({ db, workspaceId }, ['deliveries', 'jobs']);
  const jobs = new Set([...changed.values()].map((row) => row.job_id));
  return { changed: [...jobs], left: statuses.filter((report) => !isKnown(report)) };
}

/** A mailbox that does not exist has said nothing: nobody is written to there, and that is all. */
async function recordBounces(
  { db, workspaceId, channel, now, secrets }: Within & { workspaceId: string; channel: ChannelType },
  recipients: readonly string[],
): Promise<void> {
  const entry = { reason: 'bounced', createdBy: null } as const;
  const all = { channel, covers: 'everything', topicId: null, said: null, entry } as const;
  if (recipients.length === 0) return;
  const erased = await erasedAmong({ db, workspaceId, secrets }, { channel, keys: recipients });
  const named = recipients.filter((recipient) => !erased.has(recipient));
  await recordChoices(
    { db, workspaceId, actor: null, now },
    named.map((recipient) => ({ ...all, recipient })),
  );
}

/** A run of which reports have changed deliveries. */
type Changed = rows.Settled & { hasFailed: boolean; isUncertain: boolean };

const isKnown = ({ found }: { found: readonly rows.Found[] }) =>
  found.length > 0 && !found.every((row) => row.is_sending);

type StatusReport = Extract<Report, { id: string }>;

async function settle(
  { db, now }: Within,
  { report, adapter }: { report: StatusReport & { named: rows.Named }; adapter: Taking['adapter'] },
): Promise<rows.Settled[]> {
  const { named } = report;
  switch (report.kind) {
    case 'delivered':
      return rows.markDelivered(db, named);
    case 'failed': {
      // Applied only once, because the delivery may have been retried since.
      const of = { ...named, provider: adapter.provider, name: [report.id, report.reportId].join(':') };
      if (await isReceived(db, of)) return [];
      const reason = report.reason.slice(0, 1_000);
      const code = report.hasNoMailbox ? 'no_such_address' : codeOfAnswer(adapter.type, { reason, answer: null });
      const settled = await rows.markFailed(db, { ...named, code, reason });
      if (settled.length > 0) await rememberReport(db, { ...of, kind: 'failed', sender: null, sentAt: null, now });
      return settled;
    }
    case 'delayed':
      return rows.noteDelay(db, { ...named, words: report.words.slice(0, 1_000) });
    default:
      return report satisfies never;
  }
}

type OfJob = Changed & { workspaceId: string };

/**
 * A message that failed late is tried over the next channel, where channels are tried in order and the occurrence may still be sent: the job is claimed
 * again, some seconds later, and that claim decides for all that have failed until then. Otherwise the job says what its deliveries came to.
 */
async function goOnOrCorrect(within: Within, of: OfJob): Promise<void> {
  const { db, now } = within;
  const nowMs = Date.parse(now);
  const expiresAtMs = await expiryOf(within, of);
  const again = (from: Parameters<typeof rows.claimAgain>[1]['from'], expiresMs: number) => {
    const at = isoOf(claimAgainAtMs({ nowMs, expiresAtMs: expiresMs }));
    return rows.claimAgain(db, { ...of, from, message: failedLate, at, now });
  };
  if (expiresAtMs !== null && nowMs < expiresAtMs) {
    if (await again(of.hasFailed ? inOrderFrom : endedFrom, expiresAtMs)) await wakeDispatchers(within);
    return;
  }
  if (of.hasFailed) await again(['running'], Number.POSITIVE_INFINITY);
  await correctJob(within, of);
}

const endedFrom = ['completed', 'failed'] as const;
const inOrderFrom = [...endedFrom, 'pending', 'running'] as const;

/** When the occurrence of a job whose channels are tried in order expires; null where the job may not go on. */
async function expiryOf({ db, now }: Within, of: OfJob): Promise<number | null> {
  const job = await rows.findInOrder(db, { ...of, now });
  if (job === null) return null;
  const scheduledForMs = Date.parse(job.scheduled_for);
  return expiryMsOf({ job, scheduledForMs, nextMs: occurrenceAfter(job, scheduledForMs) }, Date.parse(now));
}

/** Recomputes the status of an ended job from its deliveries. */
async function correctJob({ db, now }: Within, of: OfJob): Promise<void> {
  const counted = await rows.tallyOf(db, of);
  const isOpen = counted.some(({ status }) => status === 'queued' || status === 'sending' || status === 'waiting');
  if (isOpen) return;
  const tally: Tally = Object.fromEntries(counted.map(({ status, count }) => [status, count]));
  const reasonOf = (...statuses: string[]) => counted.find(({ status }) => statuses.includes(status))?.reason ?? null;
  const { status, message } = resultOf(tally, { reason: reasonOf('failed', 'unknown') ?? reasonOf('skipped') });
  await rows.correctResult(db, { ...of, status, message, now });
}
