import { type DueReport, defaultReportZone, dueReport } from '#domain/report-month.ts';
import { monthMail, type ReportLinks } from '#features/monthly-reports/month-mail.ts';
import { summarizeMonth } from '#features/monthly-reports/month-summary.service.ts';
import * as rows from '#features/monthly-reports/monthly-report-mailer.db.ts';
import type { Clock } from '#platform/clock.ts';
import type { Database } from '#platform/database.ts';
import type { Log } from '#platform/log.ts';
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
  /** The address at which people reach Cuebird. */
  url: string;
  links: ReportLinks;
  /** Sends a mail. Returns whether it was accepted; null where there is no mail server. */
  sendMail: ((mail: MonthlyMail) => Promise<boolean>) | null;
  /** While deliveries are paused, no reports are mailed. */
  isPaused: () => Promise<boolean>;
};

export type MonthlyReportMailer = { stop(): Promise<void> };

const lookEveryMs = 15 * 60_000;
const graceMs = 5_000;
const batch = 100;

/** For how long one process has a report to itself: longer than a mail server may take. */
const leaseMinutes = 15;
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

async function mailDue(deps: Deps, signal: AbortSignal): Promise<void> {
  const { pool, clock, log, sendMail } = deps;
  if (sendMail === null || (await deps.isPaused())) return;
  // Wherever it is the first of a month already.
  const today = clock.now().add({ hours: 14 }).toZonedDateTimeISO('UTC').toPlainDate();
  const before = today.with({ day: 1 }).subtract({ months: 1 }).toString();
  for (let after = nilUuid; !signal.aborted; ) {
    const now = clock.now().toString();
    const found = await rows.findUnreported(pool, { before, now, after, limit: batch });
    for (const report of found) {
      if (signal.aborted) return;
      await mailOne({ ...deps, sendMail }, report).catch((error: unknown) =>
        log.warn({ report: report.id, error: String(error) }, 'a monthly report was not mailed'),
      );
    }
    const last = found.at(-1);
    if (last === undefined || found.length < batch) return;
    after = last.id;
  }
}

async function mailOne(
  deps: Deps & { sendMail: NonNullable<Deps['sendMail']> },
  report: rows.MonthlyReportRow,
): Promise<void> {
  const { pool, clock } = deps;
  const { id, reported_month: reportedMonth } = report;
  const timezone = report.timezone ?? defaultReportZone;
  const now = clock.now();
  const due = dueReport({ reportedMonth, timezone }, now);
  if (due === null) return;
  const nextAttemptAt = now.add({ minutes: leaseMinutes }).toString();
  const taken = await rows.takeReport(pool, { id, reportedMonth, now: now.toString(), nextAttemptAt });
  if (taken === null) return;
  if (await send(deps, { report: taken, due, timezone }))
    await rows.markReported(pool, { id, reportedMonth, month: due.month });
  else await rows.deferReport(pool, { id, until: againAt(clock.now(), due).toString() });
}

/** After as long as it has waited already, within bounds: an address that refuses it costs some thirty summaries a month, not seven hundred. */
function againAt(now: Temporal.Instant, { dueAt }: DueReport): Temporal.Instant {
  const waited = now.since(dueAt).total('hours');
  return now.add({ seconds: Math.round(3_600 * Math.min(Math.max(waited, soonestAgainHours), latestAgainHours)) });
}

async function send(
  { app, url, links, sendMail }: Deps & { sendMail: NonNullable<Deps['sendMail']> },
  { report, due, timezone }: { report: rows.MonthlyReportRow; due: DueReport; timezone: string },
): Promise<boolean> {
  const { id, workspace_id: workspaceId, reminder_id: reminderId, group_id: groupId, address, company } = report;
  const summary = await summarizeMonth(app, {
    workspaceId,
    reminderId,
    groupId,
    from: due.from.toString(),
    to: due.to.toString(),
  });
  const unsubscribe = links({ stops: 'monthly_report', workspaceId, recipient: address, id });
  const mail = monthMail({ summary, due, timezone, company, url, isGroup: groupId !== null, unsubscribe });
  return sendMail({
    to: address,
    ...mail,
    id: `report.${id}.${due.month}`,
    headers: {
      'List-Unsubscribe': `<${unsubscribe.oneClick}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
    },
  });
}
