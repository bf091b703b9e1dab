import type { Pool } from 'pg';
import { oneLine } from '#domain/one-line.ts';
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
  for (const webhook of await takeDisabled(pool, now.toString())) {
    const mail = disabledMail({ ...webhook, url });
    const taken: boolean[] = [];
    for (const to of await ownersOf(pool, webhook.workspace_id))
      taken.push(
        await sendMail({ to, ...mail }).catch((error: unknown) => {
          log.warn({ error: String(error) }, 'the notice of a disabled webhook was not sent');
          return false;
        }),
      );
    if (taken.length > 0 && !taken.includes(true)) await forgetNotice(pool, webhook.id);
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
}: Omit<DisabledWebhook, 'id'> & { url: string }): { subject: string; text: string } {
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

/** A disabled webhook; `failing_since` is ISO text. */
type DisabledWebhook = {
  id: string;
  workspace_id: string;
  workspace: string;
  target: string;
  failing_since: string | null;
  last_answer: string | null;
};

/** Takes disabled webhooks whose owners have not been mailed yet; of concurrent processes, one gets each. */
async function takeDisabled(pool: Pool, now: string): Promise<DisabledWebhook[]> {
  const { rows } = await pool.query<DisabledWebhook>(
    `update webhooks h set owners_notified_at = $1
       from workspaces w
      where w.id = h.workspace_id and h.disabled_at is not null and h.owners_notified_at is null
        and w.delete_after is null and w.suspended_at is null
    returning h.id, h.workspace_id, w.name as workspace, h.url as target, h.failing_since, h.last_answer`,
    [now],
  );
  return rows;
}

const forgetNotice = (pool: Pool, id: string) =>
  pool.query('update webhooks set owners_notified_at = null where id = $1 and disabled_at is not null', [id]);

async function ownersOf(pool: Pool, workspaceId: string): Promise<string[]> {
  const { rows } = await pool.query<{ email: string }>('select email from owners_of($1)', [workspaceId]);
  return rows.map(({ email }) => email);
}
