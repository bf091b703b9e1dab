import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Callback, DefaultRoute, Report } from '#delivery/adapter.ts';
import type { AnyAdapter } from '#delivery/load-adapters.ts';
import { Dialling, e164 } from '#delivery/phone.ts';
import { type Tally, resultOf } from '#domain/job-state.ts';
import { recipientKey } from '#domain/recipients.ts';
import { type CallbackPlace, openCallbackToken, typeOfDefault } from '#features/channels/callback-token.ts';
import * as rows from '#features/channels/callbacks.db.ts';
import { openChannel } from '#features/channels/open-channel.ts';
import { suppress, unsuppress } from '#features/channels/suppression.service.ts';
import { announce } from '#platform/changes.ts';
import type { Clock } from '#platform/clock.ts';
import { type Db, inTenant } from '#platform/database.ts';
import { NotFound, Unauthenticated } from '#platform/errors.ts';
import { readBytes } from '#platform/request-body.ts';
import type { Schema } from '#platform/schema.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type CallbackPorts = {
  db: Kysely<Schema>;
  secrets: SecretBox;
  clock: Clock;
  /** Where providers reach this installation. */
  url: () => string;
  /** Its own way for channel types that a workspace has not configured: they report, too. */
  defaults: DefaultRoute;
};

/** Meta sends up to 3 MB at once. */
const maxBodyKiB = 3_072;

/**
 * A provider's call at the address of its channel. What it reports changes the ledger, as far as that is still open.
 * Throws NotFound for what is no channel's address, Unauthenticated where the signature is not the provider's.
 */
export async function receiveCallback(
  ports: CallbackPorts,
  { provider, token, request }: { provider: string; token: string; request: Request },
): Promise<Response> {
  const place = openCallbackToken(token, ports.secrets);
  if (place === null) throw new NotFound('call-back address');
  const { adapter, config } = await channelAt(ports, place);
  if (adapter.provider !== provider || adapter.parseCallback === undefined) throw new NotFound('call-back address');
  const callback = await callbackOf(request, ports.url());
  const answer = await adapter.parseCallback(callback, { config, now: ports.clock.now() });
  switch (answer.kind) {
    case 'refused':
      throw new Unauthenticated(answer.reason);
    case 'challenge':
      return new Response(answer.answer, { headers: { 'content-type': 'text/plain; charset=utf-8' } });
    case 'reports':
      await takeReports(ports, { place, adapter, config, reports: answer.reports });
      return answer.reply === undefined
        ? new Response(null, { status: 200 })
        : new Response(answer.reply, { headers: { 'content-type': 'text/xml; charset=utf-8' } });
    default:
      return answer satisfies never;
  }
}

/** A channel of the workspace, or the installation's own way for a type. */
async function channelAt(
  { db, secrets, defaults }: CallbackPorts,
  { workspaceId, channelId }: CallbackPlace,
): Promise<{ adapter: AnyAdapter; config: unknown }> {
  const type = typeOfDefault(channelId);
  if (type !== null) {
    const route = defaults(type, workspaceId);
    if (route === null) throw new NotFound('call-back address');
    return route;
  }
  return inTenant(db, { workspaceId, userId: null }, async (tx) => {
    const row = await rows.findCallbackChannel(tx, { workspaceId, id: channelId });
    if (row === undefined) throw new NotFound('call-back address');
    return openChannel(row, secrets);
  });
}

/** The URL as the provider knows it, whatever stands between: its signature covers it. */
async function callbackOf(request: Request, ownUrl: string): Promise<Callback> {
  const { pathname, search } = new URL(request.url);
  return {
    method: request.method === 'GET' ? 'GET' : 'POST',
    url: new URL(ownUrl.replace(/\/$/, '') + pathname + search),
    headers: request.headers,
    body: await readBytes(request, { maxKiB: maxBodyKiB }),
  };
}

type Taking = { place: CallbackPlace; adapter: AnyAdapter; config: unknown; reports: readonly Report[] };

/** How long a report may be ahead of the outcome that it is about: the ledger is asked again after each of these. */
const patienceMs = [0, 500, 2_000];

async function takeReports(ports: CallbackPorts, { reports, ...of }: Taking): Promise<void> {
  let left = reports;
  for (const waitMs of patienceMs) {
    if (left.length === 0) return;
    await ports.clock.sleepUntil(ports.clock.now().add({ milliseconds: waitMs }), never);
    const { workspaceId } = of.place;
    left = await inTenant(ports.db, { workspaceId, userId: null }, (db) =>
      takeKnown({ db, now: ports.clock.now().toString() }, { ...of, reports: left }),
    );
  }
}

const never = new AbortController().signal;

type Within = { db: Db; now: string };

/** Returns the reports of messages that are not in the ledger (yet). */
async function takeKnown(within: Within, { place, adapter, config, reports }: Taking): Promise<Report[]> {
  const { workspaceId } = place;
  const { db, now } = within;
  const statuses: (StatusReport & { named: rows.Named; found: rows.Reported[] })[] = [];
  for (const report of reports) {
    if (report.kind === 'stopped' || report.kind === 'resumed') {
      await takeOptOut(within, { workspaceId, adapter, config, report });
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
  // Two calls may tell of the same messages at once: each locks jobs, then deliveries, in the same order.
  const known = statuses.filter(({ found }) => found.length > 0).sort((a, b) => (a.id < b.id ? -1 : 1));
  const jobIds = known.flatMap(({ found }) => found.map((row) => row.job_id));
  if (jobIds.length > 0) await rows.lockEnded(db, { workspaceId, ids: [...new Set(jobIds)] });
  const changed = new Map<string, rows.Reported>();
  for (const report of known) {
    const settled = await settle(db, report);
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

function settle(db: Db, report: StatusReport & { named: rows.Named }): Promise<rows.Reported[]> {
  switch (report.kind) {
    case 'delivered':
      return rows.markDelivered(db, report.named);
    case 'failed':
      return rows.markFailed(db, { ...report.named, reason: report.reason.slice(0, 1_000) });
    case 'delayed':
      return rows.noteDelay(db, { ...report.named, words: report.words.slice(0, 1_000) });
    default:
      return report satisfies never;
  }
}

/** A job that has ended says what is true of its recipients now. */
async function correctJob({ db, now }: Within, of: rows.Reported & { workspaceId: string }): Promise<void> {
  const counted = await rows.tallyOf(db, of);
  const isOpen = counted.some(({ status }) => status === 'queued' || status === 'sending' || status === 'waiting');
  if (isOpen) return;
  const tally: Tally = Object.fromEntries(counted.map(({ status, count }) => [status, count]));
  const reasonOf = (...statuses: string[]) => counted.find(({ status }) => statuses.includes(status))?.reason ?? null;
  const { status, message } = resultOf(tally, { reason: reasonOf('failed', 'unknown') ?? reasonOf('skipped') });
  await rows.correctResult(db, { ...of, status, message, now });
}

type OptOut = {
  workspaceId: string;
  adapter: AnyAdapter;
  config: unknown;
  report: Exclude<Report, { id: string }>;
};

/** In each spelling of the number under which the workspace has written to it. */
async function takeOptOut({ db, now }: Within, { workspaceId, adapter, config, report }: OptOut): Promise<void> {
  const channel = adapter.type;
  const number = e164(report.sender);
  if (number === null || (channel !== 'sms' && channel !== 'whatsapp')) return;
  const dialling = Dialling.parse(config);
  const similar = await rows.spellingsLike(db, { workspaceId, channel, number });
  const same = similar.filter((recipient) => e164(recipient, dialling) === number);
  const recipients = [...new Set([number, ...same].map(recipientKey))];
  const optOut = { workspaceId, channel, recipients, reason: 'stopped' as const };
  if (report.kind === 'stopped') await suppress(db, { ...optOut, now });
  else await unsuppress(db, optOut);
}
