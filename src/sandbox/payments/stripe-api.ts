import type { Invoice, PaymentObject, Subscription } from './objects.ts';
import type { OpenOrder, PaymentProvider } from './provider.ts';

export type ApiAnswer = { status: number; body: unknown };

/** A value of Stripe's form encoding: `line_items[0][price]=x` is a map `line_items` of maps. */
type Form = Map<string, string | Form>;

/**
 * Answers a request of Stripe's API as far as Cuebird uses it, version 2025-03-31 and later: the period is that of the item, and an
 * invoice names its subscription below `parent`.
 */
export async function answerStripe(
  provider: PaymentProvider,
  { method, url, body, key }: { method: string; url: URL; body: string; key: string | null },
): Promise<ApiAnswer> {
  if (!provider.isKey(key)) return refused(401, { type: 'invalid_request_error', message: 'Invalid API Key provided' });
  const [, id = ''] = /^\/v1\/(?:subscriptions|checkout\/sessions)\/([^/]+)/.exec(url.pathname) ?? [];
  const route = `${method} ${id === '' ? url.pathname : url.pathname.replace(id, ':id')}`;
  const form = readForm(method === 'GET' ? url.searchParams : new URLSearchParams(body));
  const customer = textAt(form, 'customer');
  if (customer !== '' && !(await provider.hasCustomer(customer)))
    return missing('customer', { id: customer, param: 'customer' });
  switch (route) {
    case 'POST /v1/customers':
      return ok(
        await provider.createCustomer({
          email: textAt(form, 'email'),
          name: textAt(form, 'name'),
          metadata: textsAt(form, 'metadata'),
        }),
      );
    case 'POST /v1/checkout/sessions': {
      const lacking = ['mode', 'customer', 'success_url', 'line_items'].filter((name) => !form.has(name));
      if (lacking.length > 0) return lacks(lacking);
      return ok(
        await provider.openPage({
          customer,
          returnUrl: textAt(form, 'success_url'),
          for: {
            kind: 'order',
            price: textAt(form, 'line_items', '0', 'price'),
            metadata: textsAt(form, 'subscription_data', 'metadata'),
            subscription: null,
          },
        }),
      );
    }
    case 'GET /v1/checkout/sessions': {
      const data = (await provider.openOrders(customer)).map(shownSession);
      return ok({ object: 'list', url: '/v1/checkout/sessions', has_more: false, data });
    }
    case 'POST /v1/checkout/sessions/:id/expire': {
      const found = await provider.expire(id);
      return found === null ? missing('checkout.session', { id, param: 'session' }) : ok(shownSession(found));
    }
    case 'POST /v1/billing_portal/sessions': {
      if (!form.has('customer')) return lacks(['customer']);
      const confirmed = at(form, 'flow_data', 'subscription_update_confirm');
      return ok(
        await provider.openPage({
          customer,
          returnUrl: textAt(form, 'return_url'),
          for:
            confirmed === undefined
              ? { kind: 'portal' }
              : {
                  kind: 'change',
                  subscription: textAt(form, 'flow_data', 'subscription_update_confirm', 'subscription'),
                  price: textAt(form, 'flow_data', 'subscription_update_confirm', 'items', '0', 'price'),
                },
        }),
      );
    }
    case 'GET /v1/subscriptions': {
      const found = await provider.subscriptionsOf(customer);
      const data = await Promise.all(
        found.map(async (one) => shownSubscription(one, await provider.invoice(one.latest_invoice))),
      );
      return ok({ object: 'list', url: '/v1/subscriptions', has_more: false, data });
    }
    case 'GET /v1/subscriptions/:id': {
      const found = await provider.subscription(id);
      if (found === null) return missing('subscription', { id, param: 'id' });
      const expands = Object.values(textsAt(form, 'expand')).includes('latest_invoice');
      return ok(
        shownSubscription(found, expands ? await provider.invoice(found.latest_invoice) : found.latest_invoice),
      );
    }
    case 'POST /v1/subscriptions/:id': {
      const found = await provider.cancelAtPeriodEnd(id, textAt(form, 'cancel_at_period_end') === 'true');
      return found === null
        ? missing('subscription', { id, param: 'id' })
        : ok(shownSubscription(found, found.latest_invoice));
    }
    case 'GET /v1/invoices': {
      const subscription = textAt(form, 'subscription');
      const found = await provider.invoicesOf(customer);
      const data = found.filter((one) => subscription === '' || one.subscription === subscription);
      return ok({
        object: 'list',
        url: '/v1/invoices',
        has_more: false,
        data: data.map((one) => shownInvoice(one)),
      });
    }
    default:
      return refused(404, {
        type: 'invalid_request_error',
        message: `Unrecognized request URL (${method}: ${url.pathname})`,
      });
  }
}

const ok = (body: unknown): ApiAnswer => ({ status: 200, body });
const refused = (status: number, error: Record<string, unknown>): ApiAnswer => ({ status, body: { error } });
const lacks = (names: string[]) =>
  refused(400, {
    type: 'invalid_request_error',
    code: 'parameter_missing',
    param: names[0],
    message: `Missing required param: ${names[0]}.`,
  });
const missing = (kind: string, { id, param }: { id: string; param: string }) =>
  refused(404, {
    type: 'invalid_request_error',
    code: 'resource_missing',
    param,
    message: `No such ${kind}: '${id}'`,
  });

/** A subscription as the API and its events show it; `invoice` is the whole object where it is expanded, else its id. */
export function shownSubscription(of: Subscription, invoice: Invoice | string | null): unknown {
  const { item, declines: _, ...rest } = of;
  const { price, ...period } = item;
  return {
    ...rest,
    latest_invoice: invoice !== null && typeof invoice === 'object' ? shownInvoice(invoice) : invoice,
    items: {
      object: 'list',
      has_more: false,
      url: `/v1/subscription_items?subscription=${of.id}`,
      data: [{ object: 'subscription_item', ...period, quantity: 1, price: { object: 'price', id: price } }],
    },
  };
}

/** A checkout session, with the fields that Cuebird reads. */
export const shownSession = ({ id, customer, for: of, ...page }: OpenOrder): unknown => ({
  object: 'checkout.session',
  id,
  customer,
  client_reference_id: of.metadata.workspace_id ?? null,
  mode: 'subscription',
  status: page.is_expired === true ? 'expired' : of.subscription === null ? 'open' : 'complete',
  subscription: of.subscription,
});

export function shownInvoice(of: Invoice): unknown {
  const { subscription, ...rest } = of;
  return {
    ...rest,
    hosted_invoice_url: null,
    parent: { type: 'subscription_details', subscription_details: { subscription } },
  };
}

export const shownObject = (of: PaymentObject): unknown =>
  of.object === 'subscription'
    ? shownSubscription(of, of.latest_invoice)
    : of.object === 'invoice'
      ? shownInvoice(of)
      : of;

/** Parses a form, whose keys nest at most five deep. */
function readForm(params: URLSearchParams): Form {
  const form: Form = new Map();
  for (const [name, value] of params) {
    const path = name.split(/\]\[|[[\]]/).filter((part) => part !== '');
    if (path.length === 0 || path.length > 5) continue;
    let into = form;
    for (const part of path.slice(0, -1)) {
      const known = into.get(part);
      const next: Form = known instanceof Map ? known : new Map();
      into.set(part, next);
      into = next;
    }
    into.set(path.at(-1) ?? '', value);
  }
  return form;
}

function at(form: Form, ...path: string[]): string | Form | undefined {
  let found: string | Form | undefined = form;
  for (const part of path) found = found instanceof Map ? found.get(part) : undefined;
  return found;
}

function textAt(form: Form, ...path: string[]): string {
  const found = at(form, ...path);
  return typeof found === 'string' ? found : '';
}

function textsAt(form: Form, ...path: string[]): Record<string, string> {
  const found = at(form, ...path);
  if (!(found instanceof Map)) return {};
  return Object.fromEntries([...found].flatMap(([key, value]) => (typeof value === 'string' ? [[key, value]] : [])));
}
