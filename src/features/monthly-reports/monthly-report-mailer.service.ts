import { type DueReport, defaultReportZone, dueReport, leaseMinutes } from '#domain/report-month.ts';
import { monthMail, type ReportLinks } from '#features/monthly-reports/month-mail.ts';
import { summarizeMonth } from '#features/monthly-reports/month-summary.service.ts';
import * as rows from '#features/monthly-reports/monthly-report-mailer.db.ts';
import { askReports } from '#features/suppressions/suppressions.service.ts';
import type { MailOutcome } from '#delivery/email/installation-mailer.ts';
import { listHeaders } from '#delivery/email/mail.ts';
import type { Clock } from '#platform/clock.ts';
import { type Database, inTenant } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';
import type { SecretBox } from '#platform/secrets.ts';
import { nilUuid } from '#platform/uuid-bounds.ts';
import type { Pool } from 'pg';

type MonthlyMail = {
  to: string;
  subject: string;
  text: string;
  id: string;
  headers: Record<string, string>;
  attachment: { name: string; mediaType: string; content: string };
};

type Deps = {
  app: Database['app'];
  /** Connected as the role cuebird_engine, which sees every workspace. */
  pool: Pool;
  clock: Clock;
  log: Log;
  secrets: SecretBox;
  /** The address at which people reach Cuebird. */
  url: string;
  links: ReportLinks;
  /** Null where there is no mail server. */
  sendMail: ((mail: MonthlyMail) => Promise<MailOutcome>) | null;
  /** While deliveries are paused, no reports are mailed. */
  isPaused: () => Promise<boolean>;
};

type Sending = Deps & { sendMail: NonNullable<Deps['sendMail']> };

export type MonthlyReportMailer = { stop(): Promise<void> };

const lookEveryMs = 15 * 60_000;
const graceMs = 5_000;
const batch = 100;

/** Reports that are made and mailed at a time, each of another workspace. */
const mostAtOnce = 3;
const soonestAgainHours = 1;
const latestAgainHours = 24;

/**
 * Mails the report of the last month to those who asked for it, at the beginning of each month of their workspace. Of several processes one mails each; a
 * process that dies while it mails one leaves it to another, under the same Message-ID.
 */
export function startMonthlyReportMailer(deps: Deps): MonthlyReportMailer {
  const { clock, log } = deps;
  const stopped = new AbortController();
  const done = run();

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      await clock.sleepUntil(clock.now().add({ milliseconds: lookEveryMs }), stopped.signal);
      if (stopped.signal.aborted) return;
      await mailDue(deps, stopped.signal).catch((error: unknown) =>
        log.warn({ error: String(error) }, 'mailing monthly reports failed; trying again'),
      );
    }
  }

  return {
    async stop() {
      stopped.abort();
      // A mail server that does not answer must not delay shutdown: another process, or the next start, sends the report.
      const grace = new AbortController();
      await Promise.race([
        done.finally(() => grace.abort()),
        clock.sleepUntil(clock.now().add({ milliseconds: graceMs }), grace.signal),
      ]);
    },
  };
}

/** In rounds, each with one report of each workspace: a workspace with many, or with large ones, is no reason for others to wait for all of them. */
async function mailDue(deps: Deps, signal: AbortSignal): Promise<void> {
  const { sendMail } = deps;
  if (sendMail === null || (await deps.isPaused())) return;
  while (!signal.aborted && (await mailRound({ ...deps, sendMail }, signal)));
}

/** Returns whether there may be more. */
async function mailRound(deps: Sending, signal: AbortSignal): Promise<boolean> {
  const reports = onesOfWorkspaces(deps);
  let mailed = 0;
  const mailSome = async () => {
    for await (const report of reports) {
      if (signal.aborted) return;
      try {
        if (await mailOne({ ...deps, signal }, report)) mailed += 1;
      } catch (error) {
        deps.log.warn({ report: report.id, error: String(error) }, 'a monthly report was not mailed');
      }
    }
  };
  await Promise.all(Array.from({ length: mostAtOnce }, mailSome));
  return mailed > 0;
}

async function* onesOfWorkspaces({ pool, clock }: Deps): AsyncGenerator<rows.MonthlyReportRow> {
  // Wherever it is the first of a month already.
  const today = clock.now().add({ hours: 14 }).toZonedDateTimeISO('UTC').toPlainDate();
  const before = today.with({ day: 1 }).subtract({ months: 1 }).toString();
  for (let after = nilUuid; ; ) {
    const now = clock.now().toString();
    const found = await rows.findUnreported(pool, { before, now, after, limit: batch });
    yield* found;
    const last = found.at(-1);
    if (last === undefined || found.length < batch) return;
    after = last.workspace_id;
  }
}

type Stoppable = Sending & { signal: AbortSignal };

/** Returns whether this process had the report to itself: then one that fails ends no round, and the next one of its workspace is mailed. */
async function mailOne(deps: Stoppable, report: rows.MonthlyReportRow): Promise<boolean> {
  const { pool, clock, log, signal } = deps;
  const { id, reported_month: reportedMonth } = report;
  const timezone = report.timezone ?? defaultReportZone;
  const now = clock.now();
  const due = dueReport({ reportedMonth, timezone }, now);
  if (due === null) return false;
  const nextAttemptAt = now.add({ minutes: leaseMinutes }).toString();
  const taken = await rows.takeReport(pool, { id, reportedMonth, now: now.toString(), nextAttemptAt });
  if (taken === null) return false;
  await mailTaken(deps, { report: taken, due, timezone }).catch((error: unknown) => {
    if (!signal.aborted)
      log.warn({ report: id, error: String(error) }, 'the outcome of a monthly report was not stored');
  });
  return true;
}

type Taken = { report: rows.MonthlyReportRow; due: DueReport; timezone: string };

/** Throws where the outcome is not stored: the report is free again once its lease is over. */
async function mailTaken(deps: Stoppable, of: Taken): Promise<void> {
  const { pool, clock, log, signal } = deps;
  const { report, due } = of;
  // Also under what stands in place of an address that was erased, which the query does not know.
  if (await isSuppressed(deps, report)) return;
  const { id, reported_month: reportedMonth, address } = report;
  const answer = await send(deps, of).catch((error: unknown): MailOutcome => {
    // A process that stops says nothing of the report, which another one mails.
    if (signal.aborted) throw error;
    log.warn({ report: id, error: String(error) }, 'a monthly report was not mailed; trying again later');
    return { outcome: 'unreachable' };
  });
  if (answer.outcome === 'accepted') {
    await rows.markReported(pool, { id, reportedMonth, month: due.month });
    return;
  }
  const refusedAt = clock.now();
  await rows.deferReport(pool, {
    id,
    address,
    now: refusedAt.toString(),
    until: againAt(refusedAt, due).toString(),
    refusal: answer.outcome,
    words: answer.outcome === 'declined' ? answer.words : null,
  });
}

const isSuppressed = (
  { app, clock, secrets }: Sending,
  { workspace_id: workspaceId, address }: rows.MonthlyReportRow,
): Promise<boolean> =>
  inTenant(app, { workspaceId, userId: null, isReadOnly: true }, async (db) => {
    const of = { db, workspaceId, now: clock.now() };
    return (await askReports(of, { addresses: [address], secrets }))(address);
  });

/** After as long as it has waited already, within bounds: an address that refuses it costs some thirty summaries a month, not seven hundred. */
function againAt(now: Temporal.Instant, { dueAt }: DueReport): Temporal.Instant {
  const waited = now.since(dueAt).total('hours');
  return now.add({ seconds: Math.round(3_600 * Math.min(Math.max(waited, soonestAgainHours), latestAgainHours)) });
}

async function send(
  { app, url, links, sendMail, clock }: Sending,
  { report, due, timezone }: Taken,
): Promise<MailOutcome> {
  const { id, workspace_id: workspaceId, reminder_id: reminderId, group_id: groupId, address, company } = report;
  const summary = await summarizeMonth(app, {
    workspaceId,
    reminderId,
    groupId,
    from: due.from.toString(),
    to: due.to.toString(),
  });
  const unsubscribe = links({ stops: 'monthly_report', workspaceId, recipient: address, id });
  const mail = monthMail({
    summary,
    due,
    deleted: deletedBy(report, { due, now: clock.now() }),
    timezone,
    company,
    url,
    isGroup: groupId !== null,
    unsubscribe,
  });
  return sendMail({
    to: address,
    ...mail,
    id: `report.${id}.${due.month}`,
    headers: listHeaders(unsubscribe),
  });
}

/** Until when the workspace has deleted the jobs of the month by now; null where it has them all. */
function deletedBy(
  { retention_days: days }: rows.MonthlyReportRow,
  { due, now }: { due: DueReport; now: Temporal.Instant },
): { days: number; until: Temporal.Instant } | null {
  if (days === null) return null;
  const until = now.subtract({ hours: 24 * days });
  return Temporal.Instant.compare(until, due.from) > 0 ? { days, until } : null;
}
