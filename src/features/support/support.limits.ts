import { RateLimited } from '#platform/errors.ts';
import { limitSubject, networkOf } from '#platform/limit-subject.ts';
import { spend, type WindowLimit } from '#platform/rate-limit.ts';
import type { SupportDb } from '#features/support/support.db.ts';

const hour = 3_600;
const day = 24 * hour;

const ofAddress: WindowLimit = { bucket: 'support.address', most: 10, seconds: hour };
/** Each is a mail to support, whoever asks. */
const ofInstallation: WindowLimit = { bucket: 'support.installation', most: 300, seconds: day };

/** Counts a request before it is stored. Throws RateLimited over the limit. */
export async function admitSupportRequest(
  db: SupportDb,
  { clientAddress, now }: { clientAddress: string; now: Temporal.Instant },
): Promise<void> {
  const count = (parts: readonly string[], limit: WindowLimit) =>
    spend(db, { counted: { subject: limitSubject(parts) }, limit, now });
  const address = await count(['support', networkOf(clientAddress)], ofAddress);
  if (address.isRefused) throw new RateLimited('Too many support requests came from your network.', address);
  const all = await count(['support'], ofInstallation);
  if (all.isRefused) throw new RateLimited('Too many support requests came today.', all);
}
