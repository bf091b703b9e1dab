import type { ChannelType } from '#contract/channel-types.ts';
import type { SecretBox } from '#platform/secrets.ts';
import { bytesOfUuids, openTarget, signTarget, uuidOf } from '#platform/signed-target.ts';

/** The channel of a callback. */
export type CallbackTarget = { workspaceId: string; channelId: string };

/** The token in the call-back address of a channel, which names the workspace to open. */
export const callbackToken = ({ workspaceId, channelId }: CallbackTarget, secrets: SecretBox): string =>
  signTarget(bytesOfUuids(workspaceId, channelId), secrets.deriveKey(purpose));

/** Returns null for a token that this installation did not create. */
export function openCallbackToken(token: string, secrets: SecretBox): CallbackTarget | null {
  const target = openTarget(token, { bytes: 32, keys: secrets.deriveKeys(purpose) });
  return target && { workspaceId: uuidOf(target.subarray(0, 16)), channelId: uuidOf(target.subarray(16)) };
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
