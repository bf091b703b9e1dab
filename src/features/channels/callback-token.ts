import { createHmac, timingSafeEqual } from 'node:crypto';
import type { ChannelType } from '#contract/channel-types.ts';
import type { SecretBox } from '#platform/secrets.ts';

/** The channel of a callback. */
export type CallbackTarget = { workspaceId: string; channelId: string };

const targetBytes = 32;
const macBytes = 16;
const form = /^[\w-]{64}$/;

/**
 * The token in the call-back address of a channel: workspace, channel and 128 bits of their HMAC in base64url. A forged
 * token is refused without a query, and a valid one names the workspace to open.
 */
export function callbackToken(target: CallbackTarget, secrets: SecretBox): string {
  const bytes = Buffer.from((target.workspaceId + target.channelId).replaceAll('-', ''), 'hex');
  return Buffer.concat([bytes, macOf(bytes, secrets.deriveKey(purpose))]).toString('base64url');
}

/** Returns null for a token that this installation did not create. */
export function openCallbackToken(token: string, secrets: SecretBox): CallbackTarget | null {
  if (!form.test(token)) return null;
  const bytes = Buffer.from(token, 'base64url');
  const target = bytes.subarray(0, targetBytes);
  const mac = bytes.subarray(targetBytes);
  if (!secrets.deriveKeys(purpose).some((key) => timingSafeEqual(mac, macOf(target, key)))) return null;
  return { workspaceId: uuidOf(target.subarray(0, 16)), channelId: uuidOf(target.subarray(16)) };
}

/** The ids that stand for default channels of the installation, in place of a channel's id. */
const defaultIds = {
  sms: '00000000-0000-0000-0000-000000000001',
  whatsapp: '00000000-0000-0000-0000-000000000002',
  email: '00000000-0000-0000-0000-000000000003',
} as const;

/** The token of the installation's default channel of a type; undefined where its provider sends no reports. */
export const defaultCallbackToken = (
  secrets: SecretBox,
  { type, workspaceId }: { type: ChannelType; workspaceId: string },
): string | undefined =>
  type === 'sms' || type === 'whatsapp' || type === 'email'
    ? callbackToken({ workspaceId, channelId: defaultIds[type] }, secrets)
    : undefined;

export const typeOfDefault = (channelId: string): keyof typeof defaultIds | null =>
  (['sms', 'whatsapp', 'email'] as const).find((type) => defaultIds[type] === channelId) ?? null;

const purpose = 'call-back addresses';

const macOf = (target: Buffer, key: Buffer) => createHmac('sha256', key).update(target).digest().subarray(0, macBytes);

const uuidOf = (bytes: Buffer) => bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
