import type { Pool } from 'pg';
import { oneLine } from '#domain/one-line.ts';
import * as rows from '#features/webhooks/disabled-webhooks.db.ts';
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

/** The mail to the owners of a workspace. The path of the webhook's URL is left out: it may contain a token. */
function disabledMail({
  workspace,
  workspace_id: workspaceId,
  target,
  failing_since: since,
  last_answer: answer,
  url,
}: Omit<rows.DisabledWebhook, 'id'> & { url: string }): { subject: string; text: string } {
  const host = URL.parse(target)?.host ?? 'its receiver';
  return {
    subject: `${oneLine(workspace)}: a webhook was disabled`,
    text: [
      'Hello,',
      `The webhook of ${oneLine(workspace)} to ${host} was disabled: it has accepted no event${since === null ? '' : ` since ${since.slice(0, 16).replace('T', ' ')} UTC`}.`,
      ...(answer === null ? [] : [`Its last answer: ${oneLine(answer)}`]),
      'No events are recorded for it until somebody turns it on again. What is in its log can then be sent once more.',
      `To see the log and to turn it on: ${url}/admin/workspace/${workspaceId}/manage?tab=webhooks`,
    ].join('\n\n'),
  };
}
