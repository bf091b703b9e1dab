import { once } from 'node:events';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { PaymentObject, PaymentStore } from '#sandbox/payments/objects.ts';
import { createPaymentProvider, type PaymentProvider } from '#sandbox/payments/provider.ts';
import { createSignedEvents } from '#sandbox/payments/signed-events.ts';
import { answerStripe } from '#sandbox/payments/stripe-api.ts';
import { portOf } from '#sandbox/port.ts';

export const stripePrices = { basic: 'price_basic', premium: 'price_premium', enterprise: 'price_enterprise' };
export const stripeSecrets = { secretKey: 'sk_test_1', webhookSecret: 'whsec_1' };

/** A request of the API; `form` are its parameters, nested as `a[b]=c` says. */
export type AskedOfStripe = { method: string; path: string; form: unknown; version: string | undefined };

export type StripeEmulator = {
  api: URL;
  provider: PaymentProvider;
  asked: AskedOfStripe[];
  close(): Promise<void>;
};

/**
 * Stripe in another process's place: its API below /v1, and below /pay the page on which a person pays.
 * @param options.webhook where events go; nowhere when it is null
 */
export async function startStripeEmulator({
  webhook = null,
  now = Temporal.Now.instant,
}: {
  webhook?: (() => string) | null;
  now?: () => Temporal.Instant;
} = {}): Promise<StripeEmulator> {
  const asked: AskedOfStripe[] = [];
  const events = createSignedEvents({
    secret: stripeSecrets.webhookSecret,
    now: Temporal.Now.instant,
    sleep: async () => undefined,
    post: async (body, headers) => webhook === null || (await fetch(webhook(), { method: 'POST', body, headers })).ok,
  });
  const provider = createPaymentProvider({
    store: inMemory(),
    key: stripeSecrets.secretKey,
    prices: { [stripePrices.basic]: 9, [stripePrices.premium]: 19, [stripePrices.enterprise]: 49 },
    now,
    send: events.send,
    pageUrl: (id) => new URL(`/pay/${id}`, api).href,
  });

  /** `GET` shows a button, `POST` pays and leads back. */
  async function answerPage(method: string, id: string): Promise<{ status: number; body: string; location?: string }> {
    const found = await provider.page(id);
    if (found === null) return { status: 404, body: 'There is no such page' };
    const { page } = found;
    if (method === 'POST') {
      await provider.act(page, { act: 'pay', subscription: null });
      return { status: 303, body: '', location: page.return_url };
    }
    const button = page.for.kind === 'portal' ? '' : '<form method="post"><button>Pay</button></form>';
    return { status: 200, body: `<!doctype html><title>Stripe</title><h1>Stripe: ${page.for.kind}</h1>${button}` };
  }

  const server = createServer((request, response) => {
    void text(request).then(async (body) => {
      const url = new URL(request.url ?? '/', 'http://localhost');
      const method = request.method ?? '';
      const [, folder, id = ''] = url.pathname.split('/');
      if (folder === 'pay') {
        const { status, body: html, location } = await answerPage(method, id);
        response.writeHead(status, { 'content-type': 'text/html', ...(location && { location }) }).end(html);
        return;
      }
      const form = formOf(method === 'GET' ? url.searchParams : new URLSearchParams(body));
      asked.push({ method, path: url.pathname, form, version: request.headers['stripe-version']?.toString() });
      const key = request.headers.authorization?.replace('Bearer ', '') ?? null;
      const answer = await answerStripe(provider, { method, url, body, key });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body));
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const api = new URL(`http://127.0.0.1:${portOf(server)}`);
  return {
    api,
    provider,
    asked,
    async close() {
      await events.settled();
      server.close().closeAllConnections();
    },
  };
}

/** The nested values of a form: `line_items[0][price]=x`. */
function formOf(params: URLSearchParams): unknown {
  const form: Record<string, unknown> = {};
  for (const [name, value] of params) {
    const path = name.split(/\]\[|[[\]]/).filter((part) => part !== '');
    let into: Record<string, any> = form;
    for (const part of path.slice(0, -1)) into = into[part] ??= {};
    into[path.at(-1) ?? ''] = value;
  }
  return withLists(form);
}

/** Keys that count from 0 are a list. */
function withLists(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, one]) => [key, withLists(one)] as const);
  return entries.length > 0 && entries.every(([key], at) => key === String(at))
    ? entries.map(([, one]) => one)
    : Object.fromEntries(entries);
}

function inMemory(): PaymentStore {
  const kept = new Map<string, PaymentObject>();
  return {
    get: async (id) => kept.get(id) ?? null,
    async put(...objects) {
      for (const one of objects) kept.set(one.id, one);
    },
    ofCustomer: async (customer, kind) =>
      [...kept.values()].filter((one) => one.object === kind && one.customer === customer).toReversed(),
    due: async () => [],
  };
}
