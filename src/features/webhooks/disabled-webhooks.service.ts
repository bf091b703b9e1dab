import type { Pool } from 'pg';
import * as rows from '#features/webhooks/disabled-webhooks.db.ts';
import { disabledMail } from '#features/webhooks/disabled.mail.ts';
import type { Log } from '#platform/log.ts';

type Deps = {
  /** Connected as the role cuebird_engine. */
  pool: Pool;
  log: Log;
  /** The address at which people reach Cuebird. */
  url: string;
  /** Sends a mail. Returns whether it was accepted; null where there is no mail server. */
  sendMail: ((mail: { to: string; subject: string; text: string }) => Promise<boolean>) | null;
};

/** Mails the owners of each newly disabled webhook, once. A mail that fails is tried again with the next call. */
export async function notifyOwnersOfDisabled({ pool, log, url, sendMail }: Deps, now: Temporal.Instant): Promise<void> {
  if (sendMail === null) return;
  for (const webhook of await rows.takeUntold(pool, now.toString())) {
    const mail = disabledMail({ ...webhook, url });
    const taken: boolean[] = [];
    for (const to of await rows.ownersOf(pool, webhook.workspace_id))
      taken.push(
        await sendMail({ to, ...mail }).catch((error: unknown) => {
          log.warn({ error: String(error) }, 'the notice of a disabled webhook was not sent');
          return false;
        }),
      );
    if (taken.length > 0 && !taken.includes(true)) await rows.giveBack(pool, webhook.id);
  }
}
