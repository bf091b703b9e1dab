import type { Pool } from 'pg';
import type { PaymentObject, PaymentStore } from '#sandbox/payments/objects.ts';

/** Stores the objects of the sandbox's payment provider in the database. */
export const createPaymentStore = (db: Pool): PaymentStore => ({
  async get(id) {
    const { rows } = await db.query<{ body: PaymentObject }>('select body from sandbox_payments where id = $1', [id]);
    return rows[0]?.body ?? null;
  },
  async put(...objects) {
    await db.query(
      `insert into sandbox_payments (id, kind, customer_id, created, period_end, body)
       select id, kind, customer_id, created, period_end, body
         from jsonb_to_recordset($1) as t (id text, kind text, customer_id text, created bigint, period_end bigint, body jsonb)
       on conflict (id) do update set period_end = excluded.period_end, body = excluded.body`,
      [JSON.stringify(objects.map(rowOf))],
    );
  },
  async ofCustomer(customer, kind) {
    const { rows } = await db.query<{ body: PaymentObject }>(
      'select body from sandbox_payments where customer_id = $1 and kind = $2 order by created desc, id desc limit 100',
      [customer, kind],
    );
    return rows.map(({ body }) => body);
  },
  async due(now) {
    const { rows } = await db.query<{ body: PaymentObject }>(
      'select body from sandbox_payments where period_end <= $1 order by period_end limit 100',
      [now],
    );
    return rows.flatMap(({ body }) => (body.object === 'subscription' ? [body] : []));
  },
});

const rowOf = (of: PaymentObject) => ({
  id: of.id,
  kind: of.object,
  customer_id: of.object === 'customer' ? of.id : of.customer,
  created: of.object === 'customer' ? 0 : of.created,
  period_end: of.object === 'subscription' && of.status !== 'canceled' ? of.item.current_period_end : null,
  body: of,
});
