import { createHmac, randomBytes } from 'node:crypto';
import { shownObject, shownSession } from './stripe-api.ts';
import type { SendEvent } from './provider.ts';

/** Sends a request; false where it has to be sent again. */
export type PostEvent = (body: string, headers: Record<string, string>) => Promise<boolean>;

/** The waits in milliseconds after which an event that was not accepted is sent again; then it is given up. */
const retryAfterMs = [1_000, 5_000, 30_000, 120_000];

/** Sends each event signed as Stripe does: `t=<seconds>,v1=<HMAC-SHA256 of "seconds.body">`. */
export function createSignedEvents({
  post,
  secret,
  now,
  sleep,
}: {
  post: PostEvent;
  secret: string;
  now: () => Temporal.Instant;
  sleep: (ms: number) => Promise<void>;
}): { send: SendEvent; settled(): Promise<void> } {
  const open = new Set<Promise<void>>();

  async function sendEvent(body: string): Promise<void> {
    for (const wait of [0, ...retryAfterMs]) {
      if (wait > 0) await sleep(wait);
      const signed = {
        'content-type': 'application/json',
        'stripe-signature': signatureOf(body, { secret, now: now() }),
      };
      if (await post(body, signed).catch(() => false)) return;
    }
  }

  return {
    send(type, object) {
      const created = Math.floor(now().epochMilliseconds / 1_000);
      const id = `evt_${randomBytes(12).toString('hex')}`;
      const sent = sendEvent(
        JSON.stringify({ id, object: 'event', type, created, data: { object: eventObject(object) } }),
      );
      open.add(sent);
      void sent.finally(() => open.delete(sent));
    },
    async settled() {
      await Promise.all(open);
    },
  };
}

export function signatureOf(body: string, { secret, now }: { secret: string; now: Temporal.Instant }): string {
  const at = Math.floor(now.epochMilliseconds / 1_000);
  return `t=${at},v1=${createHmac('sha256', secret).update(`${at}.${body}`).digest('hex')}`;
}

const eventObject = (object: Parameters<SendEvent>[1]): unknown =>
  object.object === 'page' && object.for.kind === 'order'
    ? shownSession({ ...object, for: object.for })
    : shownObject(object);
