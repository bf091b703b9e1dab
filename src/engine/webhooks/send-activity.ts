import { inWords, outcomeOfRequest, refusal } from '#delivery/answer.ts';
import { hopsHeader } from '#contract/hops.ts';
import type { Network } from '#delivery/adapter.ts';
import { sign, signingKey } from '#delivery/webhook/webhook.message.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { ClaimedActivity } from '#engine/webhooks/claimed-activity.ts';
import { forTenant } from '#platform/outbound/http.ts';
import { openSigningSecrets } from '#platform/signing.ts';
import type { SecretBox } from '#platform/secrets.ts';

export const timeoutMs = 15_000;

/**
 * Posts one activity, signed by Standard Webhooks with the secret of its workspace. Any answer but a success is tried again: a receiver that answers
 * 404 today may be deployed tomorrow. A URL that the egress guard refuses is not.
 */
export function sendActivity(
  { id, workspace_id: workspaceId, url, body, hops, signing }: ClaimedActivity,
  { network: all, secrets }: { network: Network; secrets: SecretBox },
): Promise<Outcome> {
  const network = { ...all, http: forTenant(all.http, workspaceId) };
  const now = network.now();
  const seconds = String(Math.floor(now.epochMilliseconds / 1_000));
  const keys = signing === null ? [] : openSigningSecrets(signing, { secrets, now }).map(signingKey);
  if (keys.length === 0)
    return Promise.resolve({
      outcome: 'failed',
      permanent: false,
      reason: 'Not sent: the secret that signs webhooks cannot be read; replace it',
    });
  const headers = [
    'user-agent',
    'Cuebird',
    'content-type',
    'application/json',
    hopsHeader,
    String(hops + 1),
    'webhook-id',
    id,
    'webhook-timestamp',
    seconds,
    'webhook-signature',
    keys.map((key) => sign(key, `${id}.${seconds}.${body}`)).join(' '),
  ];
  return outcomeOfRequest(
    { url, method: 'POST', headers, body, timeoutMs },
    {
      network,
      read(answer) {
        const words = inWords(answer);
        if (answer.status < 300) return { outcome: 'accepted', receipt: id, answer: words };
        return { ...refusal(answer, { reason: `HTTP ${answer.status}`, now, permanent: false }), answer: words };
      },
    },
  );
}
