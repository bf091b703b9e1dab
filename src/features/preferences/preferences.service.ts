import { type ChannelType, isAddressed } from '#contract/channel-types.ts';
import { minutesOf, ReceivingHours } from '#contract/receiving-hours.ts';
import { TimeZone } from '#contract/schedules.ts';
import { SendingHours } from '#contract/sending-hours.ts';
import { recipientKey } from '#domain/recipients.ts';
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
  const { wishes, sending } = await readWishes({ db, workspaceId }, addresses);
  return wishes.map(({ zone, ...wish }) => {
    const channels = wish.address.includes('@') ? (['email'] as const) : (['sms', 'whatsapp'] as const);
    const isMet = channels.every((channel) => doMeet(wish.hours, { sending, zone, channel, now }));
    return { ...wish, neverMeets: !isMet };
  });
}

/** Which of these optional messages cannot be sent, because the hours of their recipient and those of the workspace never meet. */
export async function neverMetAmong(
  { db, workspaceId }: Scope,
  { targets, now }: { targets: readonly To[]; now: Temporal.Instant },
): Promise<(target: To) => boolean> {
  if (targets.length === 0 || !(await rows.hasWishes(db, { workspaceId }))) return () => false;
  const keys = new Set(
    targets.flatMap(({ channel, recipient }) => (isAddressed(channel) ? [recipientKey(recipient)] : [])),
  );
  const { wishes, sending } = await readWishes({ db, workspaceId }, [...keys]);
  const byAddress = new Map(wishes.map((wish) => [wish.address, wish]));
  return ({ channel, recipient }) => {
    const wish = byAddress.get(recipientKey(recipient));
    return wish !== undefined && !doMeet(wish.hours, { sending, zone: wish.zone, channel, now });
  };
}

type To = { channel: ChannelType; recipient: string };

async function readWishes({ db, workspaceId }: Scope, addresses: readonly string[]) {
  const found = addresses.length === 0 ? [] : await rows.findWishes(db, { workspaceId, addresses });
  const stored = found.length === 0 ? null : await rows.findSendingHours(db, { workspaceId });
  const wishes = found.flatMap(({ address, hours, created_at: since, timezone: zone }) => {
    const { data } = ReceivingHours.safeParse(hours);
    return data === undefined ? [] : [{ address, hours: data, since, zone }];
  });
  return { wishes, sending: SendingHours.safeParse(stored).data };
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

/** @param options.zone that of the contact, which counts where the workspace says so */
function doMeet(
  hours: ReceivingHours,
  {
    sending,
    zone,
    channel,
    now,
  }: { sending: SendingHours | undefined; zone: string | null; channel: ChannelType; now: Temporal.Instant },
): boolean {
  if (sending?.enabled !== true || !sending.channels.includes(channel)) return true;
  const { data: known } = TimeZone.safeParse(sending.zone === 'recipient' ? zone : null);
  return commonWindowFrom([{ ...sending, timezone: known ?? sending.timezone }, hours], now) !== null;
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
