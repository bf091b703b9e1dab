import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Callback, DefaultRoute, OptOutReport, Report } from '#delivery/adapter.ts';
import type { AnyAdapter } from '#delivery/load-adapters.ts';
import { codeOfAnswer } from '#domain/answer-codes.ts';
import { type Tally, resultOf } from '#domain/job-state.ts';
import { recipientKey } from '#domain/recipients.ts';
import {
  callbackGeneration,
  type CallbackTarget,
  openCallbackToken,
  typeOfDefault,
} from '#features/channels/callback-token.ts';
import * as rows from '#features/channels/callbacks.db.ts';
import { openChannel } from '#features/channels/open-channel.ts';
import { takeOptOuts } from '#features/channels/opt-outs.ts';
import { isReceived, rememberReport } from '#features/channels/received-reports.db.ts';
import { suppress } from '#features/suppressions/automatic-suppressions.service.ts';
import { announce } from '#platform/changes.ts';
import type { Clock } from '#platform/clock.ts';
import { neverAborts } from '#platform/clock.ts';
import { type Db, inTenant } from '#platform/database.ts';
import { NotFound, RateLimited, Unauthenticated } from '#platform/errors.ts';
import { spend } from '#platform/rate-limit.ts';
import type { Schema } from '#platform/schema.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type CallbackPorts = {
  db: Kysely<Schema>;
  secrets: SecretBox;
  clock: Clock;
  /** The address at which providers reach this installation. */
  url: () => string;
  /** The default channels, for workspaces without one of the type: their providers report too. */
  defaults: DefaultRoute;
};

/**
 * Handles a provider's call-back. Its reports update deliveries that are still open. Throws NotFound for an unknown
 * address, Unauthenticated where the signature is not the provider's, and RateLimited where unsigned ones are too many.
 */
export async function receiveCallback(
  ports: CallbackPorts,
  {
    provider,
    token,
    request,
    readBody,
  }: { provider: string; token: string; request: Request; readBody: () => Promise<Buffer> },
): Promise<Response> {
  const target = openCallbackToken(token, ports.secrets);
  if (target === null) throw new NotFound('callback URL');
  const { adapter, config } = await channelAt(ports, target);
  if (adapter.provider !== provider || adapter.parseCallback === undefined) throw new NotFound('callback URL');
  await assertWithinLimit(ports, { target, adapter });
  const callback = callbackOf(request, { ownUrl: ports.url(), body: await readBody() });
  const answer = await adapter.parseCallback(callback, { config, now: ports.clock.now() });
  switch (answer.kind) {
    case 'refused':
      throw new Unauthenticated(answer.reason);
    case 'challenge':
      return new Response(answer.answer, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
    case 'reports':
      await takeReports(ports, { target, adapter, reports: answer.reports });
      return answer.reply === undefined
        ? new Response(null, { status: 200 })
        : new Response(answer.reply, { headers: { 'content-type': 'text/xml; charset=utf-8' } });
    default:
      return answer satisfies never;
  }
}

/** The channel that a call-back is for: the workspace's, or the installation's default of a type. */
async function channelAt(
  { db, secrets, defaults }: CallbackPorts,
  { workspaceId, channelId, generation }: CallbackTarget,
): Promise<{ adapter: AnyAdapter; config: unknown }> {
  const type = typeOfDefault(channelId);
  if (type !== null) {
    const route = defaults(type, workspaceId);
    if (route === null) throw new NotFound('callback URL');
    return route;
  }
  return inTenant(db, { workspaceId, userId: null }, async (tx) => {
    const row = await rows.findCallbackChannel(tx, { workspaceId, id: channelId });
    const context = { workspaceId, channelId };
    if (row === undefined || callbackGeneration(row.sealed_secrets, { context, secrets }) !== generation)
      throw new NotFound('callback URL');
    return openChannel(row, secrets);
  });
}

/** In a transaction of its own, so that a callback that is refused later counts too. */
async function assertWithinLimit(
  { db, clock }: CallbackPorts,
  { target: { workspaceId, channelId }, adapter }: { target: CallbackTarget; adapter: AnyAdapter },
): Promise<void> {
  const most = adapter.callbacksPerMinute;
  if (most === undefined) return;
  const limit = { bucket: `callbacks.${channelId}`, most, seconds: 60 };
  const { isRefused, retryAfterSeconds } = await inTenant(db, { workspaceId, userId: null }, (tx) =>
    spend(tx, { counted: { workspaceId }, limit, now: clock.now() }),
  );
  if (isRefused) throw new RateLimited(`More than ${most} callbacks in a minute.`, { retryAfterSeconds });
}

/** The request with the URL by which the provider knows it, whatever proxies changed: its signature covers the URL. */
function callbackOf(request: Request, { ownUrl, body }: { ownUrl: string; body: Buffer }): Callback {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method === 'GET' ? 'GET' : 'POST',
    url: new URL(ownUrl.replace(/\/$/, '') + pathname + search),
    headers: request.headers,
    body,
  };
}

type Taking = { target: CallbackTarget; adapter: AnyAdapter; reports: readonly Report[] };

/** A report can arrive before the outcome that it is about, so the ledger is read again after each of these delays. */
const patienceMs = [0, 500, 2_000];

async function takeReports(ports: CallbackPorts, { reports, ...of }: Taking): Promise<void> {
  let left = reports;
  for (const waitMs of patienceMs) {
    if (left.length === 0) return;
    await ports.clock.sleepUntil(ports.clock.now().add({ milliseconds: waitMs }), neverAborts);
    const { workspaceId } = of.target;
    left = await inTenant(ports.db, { workspaceId, userId: null }, (db) =>
      takeKnown({ db, now: ports.clock.now().toString() }, { ...of, reports: left }),
    );
  }
}

type Within = { db: Db; now: string };

/** Returns the reports of messages that are not in the ledger (yet). */
async function takeKnown(within: Within, { target, adapter, reports }: Taking): Promise<Report[]> {
  const { workspaceId } = target;
  const { db, now } = within;
  const statuses: (StatusReport & { named: rows.Named; found: rows.Reported[] })[] = [];
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
  const known = statuses.filter(({ found }) => found.length > 0).sort((a, b) => (a.id < b.id ? -1 : 1));
  const jobIds = known.flatMap(({ found }) => found.map((row) => row.job_id));
  if (jobIds.length > 0) await rows.lockEnded(db, { workspaceId, ids: [...new Set(jobIds)] });
  const changed = new Map<string, rows.Reported>();
  for (const report of known) {
    const settled = await settle(within, { report, adapter });
    for (const row of settled) changed.set(row.job_id, row);
    const bounced =
      report.kind === 'failed' && report.hasNoMailbox ? settled.map((row) => recipientKey(row.recipient)) : [];
    if (bounced.length > 0)
      await suppress(db, { workspaceId, channel: adapter.type, recipients: bounced, reason: 'bounced', now });
  }
  for (const row of changed.values()) await correctJob(within, { ...row, workspaceId });
  if (changed.size > 0) await announce({ db, workspaceId }, ['deliveries', 'jobs']);
  return statuses.filter(({ found }) => found.length === 0);
}

type StatusReport = Extract<Report, { id: string }>;

async function settle(
  { db, now }: Within,
  { report, adapter }: { report: StatusReport & { named: rows.Named }; adapter: AnyAdapter },
): Promise<rows.Reported[]> {
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

/** Recomputes the status of an ended job from its deliveries. */
async function correctJob({ db, now }: Within, of: rows.Reported & { workspaceId: string }): Promise<void> {
  const counted = await rows.tallyOf(db, of);
  const isOpen = counted.some(({ status }) => status === 'queued' || status === 'sending' || status === 'waiting');
  if (isOpen) return;
  const tally: Tally = Object.fromEntries(counted.map(({ status, count }) => [status, count]));
  const reasonOf = (...statuses: string[]) => counted.find(({ status }) => statuses.includes(status))?.reason ?? null;
  const { status, message } = resultOf(tally, { reason: reasonOf('failed', 'unknown') ?? reasonOf('skipped') });
  await rows.correctResult(db, { ...of, status, message, now });
}
