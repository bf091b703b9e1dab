import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ChannelType } from '#contract/reminders.ts';
import type { SecretBox } from '#platform/secrets.ts';

/** The channel whose provider calls. */
export type CallbackPlace = { workspaceId: string; channelId: string };

const placeBytes = 32;
const macBytes = 16;
const form = /^[\w-]{64}$/;

/**
 * The token in the address of a channel's call-backs: workspace, channel and 128 bits of their HMAC in base64url. A made-up
 * one is refused without asking the database, and a true one says whose transaction to look in.
 */
export function callbackToken(place: CallbackPlace, secrets: SecretBox): string {
  const bytes = Buffer.from((place.workspaceId + place.channelId).replaceAll('-', ''), 'hex');
  return Buffer.concat([bytes, macOf(bytes, secrets)]).toString('base64url');
}

/** Null for what this installation has not made. */
export function openCallbackToken(token: string, secrets: SecretBox): CallbackPlace | null {
  if (!form.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const place = bytes.subarray(0, placeBytes);
  if (!timingSafeEqual(bytes.subarray(placeBytes), macOf(place, secrets))) return null;
  return { workspaceId: uuidOf(place.subarray(0, 16)), channelId: uuidOf(place.subarray(16)) };
}

/** In place of a channel's id, for the installation's own way. */
const defaultIds = {
  sms: '00000000-0000-0000-0000-000000000001',
  whatsapp: '00000000-0000-0000-0000-000000000002',
  email: '00000000-0000-0000-0000-000000000003',
} as const;

/** The token of the installation's own way for a type; undefined where nothing reports. */
export const defaultCallbackToken = (
  secrets: SecretBox,
  { type, workspaceId }: { type: ChannelType; workspaceId: string },
): string | undefined =>
  type === 'sms' || type === 'whatsapp' || type === 'email'
    ? callbackToken({ workspaceId, channelId: defaultIds[type] }, secrets)
    : undefined;

export const typeOfDefault = (channelId: string): keyof typeof defaultIds | null =>
  (['sms', 'whatsapp', 'email'] as const).find((type) => defaultIds[type] === channelId) ?? null;

const macOf = (place: Buffer, secrets: SecretBox) =>
  createHmac('sha256', secrets.deriveKey('call-back addresses')).update(place).digest().subarray(0, macBytes);

const uuidOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
