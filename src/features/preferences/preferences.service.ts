import type { ChannelType } from '#contract/channel-types.ts';
import { minutesOf, ReceivingHours } from '#contract/receiving-hours.ts';
import { SendingHours } from '#contract/sending-hours.ts';
import { commonWindowFrom } from '#domain/sending-hours.ts';
import * as rows from '#features/preferences/preferences.db.ts';
import { announce } from '#platform/changes.ts';
import type { Db } from '#platform/database.ts';

type Scope = { db: Db; workspaceId: string };

/** In which hours somebody wants messages. */
export type Wish = {
  /** The key of the address, or the number. */
  address: string;
  hours: ReceivingHours;
  since: string;
  /** Whether they never meet the sending hours of the workspace, on one of its channels. */
  neverMeets: boolean;
};

/** The wishes of these addresses, given by their keys. What cannot be read is none. */
export async function wishesOf(
  { db, workspaceId }: Scope,
  { addresses, now }: { addresses: readonly string[]; now: Temporal.Instant },
): Promise<Wish[]> {
  if (addresses.length === 0) return [];
  const found = await rows.findWishes(db, { workspaceId, addresses });
  if (found.length === 0) return [];
  const sending = SendingHours.safeParse(await rows.findSendingHours(db, { workspaceId })).data;
  const wishes: Wish[] = [];
  for (const { address, hours: stored, created_at: since } of found) {
    const { data: hours } = ReceivingHours.safeParse(stored);
    if (hours === undefined) continue;
    const zone = sending?.zone === 'recipient' ? await rows.findZoneOf(db, { workspaceId, address }) : null;
    wishes.push({ address, hours, since, neverMeets: neverMeet(hours, { sending, zone, address, now }) });
  }
  return wishes;
}

/** The zone in which somebody is asked for their hours: the contact's, where it is known. */
export const zoneOfAddress = ({ db, workspaceId }: Scope, address: string): Promise<string | null> =>
  rows.findZoneOf(db, { workspaceId, address });

type Asking = { address: string; isFresh: boolean; since: string; now: Temporal.Instant };

/** Before all wishes. */
const ever = '-infinity';

/**
 * Writes in which hours an address gets messages. Returns false where that would be more than a wish allows that was made before `since`, unless the person has
 * proved the address (`isFresh`).
 */
export async function setWish(
  { db, workspaceId }: Scope,
  { address, hours, isFresh, since, now }: Asking & { hours: ReceivingHours },
): Promise<boolean> {
  const [before] = await wishesOf({ db, workspaceId }, { addresses: [address], now });
  const replaced = before !== undefined && isWithin(hours, before.hours) ? before.hours : null;
  const isSet = await rows.upsertWish(db, {
    workspaceId,
    address,
    hours,
    replaced,
    since: isFresh ? ever : since,
    now: now.toString(),
  });
  if (isSet) await announce({ db, workspaceId }, ['contacts']);
  return isSet;
}

/** Lets messages come at any time again. Returns false for a wish that was made before `since`, unless `isFresh`. */
export async function removeWish(
  { db, workspaceId }: Scope,
  { address, isFresh, since }: Omit<Asking, 'now'>,
): Promise<boolean> {
  const isRemoved = await rows.deleteWish(db, { workspaceId, address, since: isFresh ? ever : since });
  if (isRemoved) await announce({ db, workspaceId }, ['contacts']);
  return isRemoved;
}

function neverMeet(
  hours: ReceivingHours,
  {
    sending,
    zone,
    address,
    now,
  }: { sending: SendingHours | undefined; zone: string | null; address: string; now: Temporal.Instant },
): boolean {
  const own: readonly ChannelType[] = address.includes('@') ? ['email'] : ['sms', 'whatsapp'];
  if (sending?.enabled !== true || !own.some((channel) => sending.channels.includes(channel))) return false;
  return commonWindowFrom([{ ...sending, timezone: zone ?? sending.timezone }, hours], now) === null;
}

const [minutesOfDay, minutesOfWeek] = [1_440, 10_080];

/** Whether all of these hours lie within the others, minute by minute of a week. */
export function isWithin(hours: ReceivingHours, others: ReceivingHours): boolean {
  if (hours.timezone !== others.timezone) return false;
  const open = minutesIn(others);
  return [...minutesIn(hours)].every((minute) => open.has(minute));
}

function minutesIn({ days, from, to }: ReceivingHours): Set<number> {
  const [start, end] = [minutesOf(from), minutesOf(to)];
  const length = (end - start + minutesOfDay) % minutesOfDay;
  const minutes = new Set<number>();
  for (const day of days)
    for (let n = 0; n < length; n += 1) minutes.add(((day - 1) * minutesOfDay + start + n) % minutesOfWeek);
  return minutes;
}
