import { hopsHeader, maxHops } from '#contract/hops.ts';
import { Invalid, Unprocessable } from '#platform/errors.ts';

/** How many requests of Cuebird led to this one: 0 for one from outside. Throws Unprocessable for one that goes in a circle. */
export function hopsIn({ headers }: Pick<Request, 'headers'>): number {
  const given = headers.get(hopsHeader) ?? '0';
  if (!/^\d{1,6}$/.test(given)) throw new Invalid([{ path: hopsHeader, message: 'must be a number' }]);
  const hops = Number(given);
  if (hops > maxHops)
    throw new Unprocessable(
      `This goes in a circle: ${hops} requests of Cuebird led to each other, and now back here. Nothing is sent. Send the message or the webhook somewhere else`,
    );
  return hops;
}
