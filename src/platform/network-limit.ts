import type { Kysely } from 'kysely';
import { limitSubject, networksOf } from '#platform/limit-subject.ts';
import { giveBack, spend, type Spent, type WindowLimit } from '#platform/rate-limit.ts';
import type { Schema } from '#platform/schema.ts';

type Db = Kysely<Schema>;
/** `kind` is what the limit is for. */
type From = { kind: string; clientAddress: string | null };

/**
 * Counts a request in each network of its address. The widest is asked first, so that one that is over its limit adds no rows; what was counted before
 * a refusal is refunded, so that one network cannot use up the limit of its neighbours.
 */
export async function spendInNetworks(
  db: Db,
  { kind, clientAddress, limit, now }: From & { limit: WindowLimit; now: Temporal.Instant },
): Promise<Spent> {
  const counted: string[] = [];
  let last: Spent | null = null;
  for (const { network, times } of networksOf(clientAddress)) {
    const subject = limitSubject([kind, network]);
    last = await spend(db, { counted: { subject }, limit: { ...limit, most: limit.most * times }, now });
    if (last.isRefused) {
      for (const before of counted) await giveBack(db, { counted: { subject: before }, bucket: limit.bucket });
      return last;
    }
    counted.push(subject);
  }
  if (last === null) throw new Error('an address is in no network');
  return last;
}

/** Refunds a counted request in each network of its address. */
export async function refundInNetworks(
  db: Db,
  { kind, clientAddress, bucket }: From & { bucket: string },
): Promise<void> {
  for (const { network } of networksOf(clientAddress))
    await giveBack(db, { counted: { subject: limitSubject([kind, network]) }, bucket });
}
