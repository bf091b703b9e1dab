import { randomUUIDv7 } from 'node:crypto';
import { Pool } from 'undici';
import { WebhookConfig } from '../src/delivery/webhook/webhook.config.ts';
import { requestFor } from '../src/delivery/webhook/webhook.message.ts';

/** The channel of every contender: webhooks signed with a secret. */
export const channel = { secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' };

/** The content of every reminder; the placeholders are filled for each recipient. */
export const content = {
  subject: 'Invoice for {{product_name}}',
  message:
    'Hello {{recipient_name}}, {{amount}} for {{product_name}} is due on {{current_date}}. Thank you! {{company_name}}',
  values: { product_name: 'Studio rent', amount: '420.00 EUR' },
};

const config = WebhookConfig.parse(channel);

/** Posts the same signed body as Cuebird, without its address checks, deadlines and outcomes. */
export function createPost({ sinkUrl, connections }: { sinkUrl: string; connections: number }) {
  const { origin, pathname: path } = new URL(sinkUrl);
  const pool = new Pool(origin, { connections, pipelining: 1, headersTimeout: 0, bodyTimeout: 0 });

  function post(id: string): Promise<void> {
    const request = requestFor(envelopeOf(id, { channel: 'webhook', recipient: sinkUrl }), {
      config,
      nowMs: Date.now(),
    });
    if (request === null) throw new Error('The sink has a URL.');
    const { headers, body } = request;
    return new Promise((resolve, reject) => {
      pool.dispatch(
        { path, method: 'POST', headers, body: body ?? null },
        {
          onRequestStart() {},
          onResponseStart(_, status) {
            if (status !== 200) reject(new Error(`the sink answered ${status}`));
          },
          onResponseData() {},
          onResponseEnd: () => resolve(),
          onResponseError: (_, error) => reject(error),
        },
      );
    });
  }

  return { post, close: () => pool.close() };
}

/** The rendered message of every contender's reminder. */
export function envelopeOf<Channel extends string>(
  id: string,
  { channel, recipient }: { channel: Channel; recipient: string },
) {
  return {
    delivery_id: id,
    workspace_id: workspaceId,
    job_id: id,
    reminder_id: id,
    name: 'Rent',
    scheduled_for: '2026-11-20T08:00:00.000Z',
    attempt: 1,
    channel,
    recipient,
    recipient_name: null,
    subject: 'Invoice for Studio rent',
    message: `Hello ${recipient}, 420.00 EUR for Studio rent is due on November 20, 2026. Thank you! Bench`,
    is_test: false,
  };
}

const workspaceId = randomUUIDv7();
