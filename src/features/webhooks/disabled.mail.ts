import { oneLine } from '#domain/one-line.ts';
import type { DisabledWebhook } from '#features/webhooks/disabled-webhooks.db.ts';

/** The mail to the owners of a workspace. The path of the webhook's URL is left out: it may contain a token. */
export function disabledMail({
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
