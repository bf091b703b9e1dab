import type { PaidTier } from '#contract/tiers.ts';
import { createHmac } from 'node:crypto';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { plans } from '#contract/plans.ts';
import type { PaymentAccount } from '#features/billing/billing.service.ts';
import { startPlanWatch } from '#features/billing/plan-ends.service.ts';
import { createPaymentStore } from '#features/billing/sandbox-payments.db.ts';
import { createStripePayments } from '#features/billing/stripe.ts';
import { portOf } from '#sandbox/port.ts';
import { createPaymentProvider, type PaymentProvider } from '#sandbox/payments/provider.ts';
import { createSignedEvents } from '#sandbox/payments/signed-events.ts';
import { answerStripe } from '#sandbox/payments/stripe-api.ts';
import type { Runtime } from './runtime.ts';

export type OpenPayments = { account: PaymentAccount | null; provider: PaymentProvider | null };

/** @param options.url where this installation is; asked when a page is opened or an event is sent */
export async function openPayments(runtime: Runtime, { url }: { url: () => string }): Promise<OpenPayments> {
  const { clock, config, database, stack, log } = runtime;
  if (config.billing === 'off') return { account: null, provider: null };
  const opened =
    config.billing === 'stripe'
      ? { account: stripeAccount(runtime), provider: null }
      : await openSandboxPayments(runtime, { url });
  const watch = startPlanWatch({
    clock,
    log,
    pool: database.engine,
    payments: opened.account.payments,
    now: clock.now,
  });
  stack.add('the end of plans', () => watch.stop());
  return opened;
}

function stripeAccount({ config }: Runtime): PaymentAccount {
  const prices = {
    basic: config.STRIPE_PRICE_BASIC ?? '',
    premium: config.STRIPE_PRICE_PREMIUM ?? '',
    enterprise: config.STRIPE_PRICE_ENTERPRISE ?? '',
  };
  const payments = createStripePayments({
    secretKey: config.STRIPE_SECRET_KEY ?? '',
    webhookSecret: config.STRIPE_WEBHOOK_SECRET ?? '',
    prices,
    api: config.STRIPE_API === undefined ? null : new URL(config.STRIPE_API),
  });
  return { payments, prices };
}

const renewEveryMs = 60_000;

/** The sandbox's payment provider, over HTTP as Stripe is. */
async function openSandboxPayments(
  { clock, database, secrets, stack, log }: Runtime,
  { url }: { url: () => string },
): Promise<{ account: PaymentAccount; provider: PaymentProvider }> {
  const derived = (label: string) => createHmac('sha256', secrets.deriveKey('payments')).update(label).digest('hex');
  const webhookSecret = `whsec_${derived('webhook')}`;
  const secretKey = `sk_test_${derived('key')}`;
  const prices: Record<PaidTier, string> = {
    basic: 'price_sandbox_basic',
    premium: 'price_sandbox_premium',
    enterprise: 'price_sandbox_enterprise',
  };
  const closing = new AbortController();
  const events = createSignedEvents({
    secret: webhookSecret,
    now: clock.now,
    sleep: (ms) => clock.sleepUntil(clock.now().add({ milliseconds: ms }), closing.signal),
    async post(body, headers) {
      if (closing.signal.aborted) return true;
      const answer = await fetch(new URL('/api/billing/webhook', url()), {
        method: 'POST',
        body,
        headers,
        signal: closing.signal,
      });
      return answer.ok;
    },
  });
  const provider = createPaymentProvider({
    store: createPaymentStore(database.engine),
    key: secretKey,
    prices: Object.fromEntries(plans.map(({ tier, price }) => [prices[tier], price])),
    now: clock.now,
    send: events.send,
    pageUrl: (id) => new URL(`/sandbox-payments/${id}`, url()).href,
  });
  const server = createServer((request, response) => {
    void text(request)
      .then((body) =>
        answerStripe(provider, {
          method: request.method ?? 'GET',
          url: new URL(request.url ?? '/', 'http://localhost'),
          body,
          key: request.headers.authorization?.replace(/^Bearer /, '') ?? null,
        }),
      )
      .then(
        (answer) =>
          response.writeHead(answer.status, { 'content-type': 'application/json' }).end(JSON.stringify(answer.body)),
        (error: unknown) => {
          log.warn({ error: String(error) }, "the sandbox's payments failed");
          response.writeHead(500).end('{}');
        },
      );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const port = portOf(server);
  const renewing = setInterval(() => void provider.renewDue().catch(() => undefined), renewEveryMs);
  stack.add('the payments of the sandbox', async () => {
    clearInterval(renewing);
    closing.abort();
    server.closeAllConnections();
    server.close();
    await events.settled();
  });
  const api = new URL(`http://127.0.0.1:${port}`);
  return { account: { payments: createStripePayments({ secretKey, webhookSecret, prices, api }), prices }, provider };
}
