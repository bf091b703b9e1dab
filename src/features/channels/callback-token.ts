import type { ChannelType } from '#contract/channel-types.ts';
import type { SecretBox } from '#platform/secrets.ts';
import { bytesOfUuids, openTarget, signTarget, uuidOf } from '#platform/signed-target.ts';

/** The channel of a callback. `generation` counts how often its address was replaced. */
export type CallbackTarget = { workspaceId: string; channelId: string; generation: number };

/** The token in the call-back address of a channel, which names the workspace to open. */
export function callbackToken({ workspaceId, channelId, generation }: CallbackTarget, secrets: SecretBox): string {
  const channel = bytesOfUuids(workspaceId, channelId);
  const number = Buffer.alloc(4);
  number.writeUInt32BE(generation);
  // An address that was never replaced has no number.
  return signTarget(generation === 0 ? channel : Buffer.concat([channel, number]), secrets.deriveKey(purpose));
}

/** Returns null for a token that this installation did not create. */
export function openCallbackToken(token: string, secrets: SecretBox): CallbackTarget | null {
  const keys = secrets.deriveKeys(purpose);
  const target = openTarget(token, { bytes: 32, keys }) ?? openTarget(token, { bytes: 36, keys });
  if (target === null) return null;
  return {
    workspaceId: uuidOf(target.subarray(0, 16)),
    channelId: uuidOf(target.subarray(16, 32)),
    generation: target.length === 32 ? 0 : target.readUInt32BE(32),
  };
}

/** The secret of a channel with its current token, which its messages contain. */
export const callbackTokenField = 'callback_token';

/** The generation of a channel's address: that of its stored token. */
export function callbackGeneration(
  sealedSecrets: Readonly<Record<string, string>>,
  { context, secrets }: { context: { workspaceId: string; channelId: string }; secrets: SecretBox },
): number {
  const sealed = sealedSecrets[callbackTokenField];
  if (sealed === undefined || secrets.keyOf(sealed) === 'unknown') return 0;
  return openCallbackToken(secrets.open(sealed, context), secrets)?.generation ?? 0;
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
    ? callbackToken({ workspaceId, channelId: defaultIds[type], generation: 0 }, secrets)
    : undefined;

export const typeOfDefault = (channelId: string): keyof typeof defaultIds | null =>
  (['sms', 'whatsapp', 'email'] as const).find((type) => defaultIds[type] === channelId) ?? null;

const purpose = 'call-back addresses';
