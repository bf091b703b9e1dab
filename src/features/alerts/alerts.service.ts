import type { Pool } from 'pg';
import type { Alert, AlertCause } from '#contract/alerts.ts';
import * as rows from '#features/alerts/alerts.db.ts';
import type { CauseOfDay } from '#features/alerts/alerts.db.ts';
import { recordInstallationAct } from '#platform/audit.ts';
import type { Log } from '#platform/log.ts';

export type AlertDeps = {
  /** Connected as the role cuebird_engine. */
  pool: Pool;
  log: Log;
  now: () => Temporal.Instant;
  /** The address at which people reach Cuebird. */
  url: () => string;
  /** Sends a mail. Returns whether it was accepted; null where there is no mail server. */
  sendMail: ((mail: { to: string; subject: string; text: string }) => Promise<boolean>) | null;
};

const keptDays = 30;

/**
 * Tells the administrators of the installation that something is wrong: on the System tab at once, and by mail at most
 * once for each cause and day (UTC). May be called as often as the trouble is seen, in any process.
 * @param detail what is wrong, in a sentence or two; without secrets
 */
export async function raiseAlert(
  { pool, log, now: clock, url, sendMail }: AlertDeps,
  { cause, detail }: { cause: AlertCause; detail: string },
): Promise<void> {
  const now = clock();
  const of = { cause, day: now.toString().slice(0, 10) };
  const isUntold = await rows.noteAlert(pool, { ...of, detail, now });
  if (!isUntold || sendMail === null || !(await rows.takeMail(pool, { ...of, now }))) return;
  log.error({ cause, detail }, 'administrators are alerted');
  const taken: boolean[] = [];
  for (const to of await rows.administratorEmails(pool)) {
    const isSent = await sendMail({ to, ...alertMail({ cause, detail, url: url() }) }).catch((error: unknown) => {
      log.warn({ error: String(error) }, 'the mail of an alert was not sent');
      return false;
    });
    taken.push(isSent);
  }
  if (!taken.includes(true)) await rows.giveBackMail(pool, of);
  await rows.forgetAlerts(pool, { before: now.subtract({ hours: keptDays * 24 }) });
}

/** The causes that the watch checks. It runs each minute in every process, each for its own disk: a cause is over when none has seen it lately. */
const watched = ['disk_nearly_full', 'late_deliveries', 'sign_in_failures'] as const satisfies readonly AlertCause[];
export type WatchedCause = (typeof watched)[number];
const goneAfterMinutes = 3;

export const resolveUnseen = (pool: Pool, now: Temporal.Instant) =>
  rows.resolveAlerts(pool, { causes: watched, unseenSince: now.subtract({ minutes: goneAfterMinutes }), now });

/** Ends the alert of a failed backup, when one was made. */
export const resolveFailedBackup = (pool: Pool, now: Temporal.Instant) =>
  rows.resolveAlerts(pool, { causes: ['backup_failed'], unseenSince: now, now });

/** Removes an alert from the console, for every administrator. */
export async function dismissAlert(
  { pool, auth }: { pool: Pool; auth: Pick<Pool, 'query'> },
  { cause, day, ...by }: CauseOfDay & { actorId: string; clientAddress: string; now: Temporal.Instant },
): Promise<void> {
  if (!(await rows.markDismissed(pool, { cause, day, now: by.now }))) return;
  await recordInstallationAct(auth, { ...by, action: 'admin.alert_dismissed', target: cause, details: { cause, day } });
}

/** The alerts of the last seven days that were not dismissed: those that go on first, then the latest. */
export const recentAlerts = (pool: Pool, now: Temporal.Instant): Promise<Alert[]> =>
  rows.listAlerts(pool, { since: now.subtract({ hours: 7 * 24 }) });

const subjects: Record<AlertCause, string> = {
  backup_failed: 'A backup failed',
  disk_nearly_full: 'The disk is nearly full',
  late_deliveries: 'Deliveries are late',
  sign_in_failures: 'Many sign-ins fail',
};

/** The mail to an administrator of the installation. */
const alertMail = ({ cause, detail, url }: { cause: AlertCause; detail: string; url: string }) => ({
  subject: `Cuebird: ${subjects[cause]}`,
  text: [
    'Hello,',
    detail,
    `The state of the installation: ${url}/admin?tab=system`,
    'You get this at most once a day for each cause, as an administrator of this installation.',
  ].join('\n\n'),
});
