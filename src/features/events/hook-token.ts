import { bytesOfUuids, openTarget, signTarget, uuidOf } from '#platform/signed-target.ts';

/** The hook that a token belongs to. `generation` counts how often its address was replaced. */
export type HookTarget = { workspaceId: string; reminderId: string; generation: number };

/**
 * The token in a hook's address.
 * @param key derived from the installation's encryption key
 */
export function hookToken({ workspaceId, reminderId, generation }: HookTarget, key: Buffer): string {
  const number = Buffer.alloc(4);
  number.writeUInt32BE(generation);
  return signTarget(Buffer.concat([bytesOfUuids(workspaceId, reminderId), number]), key);
}

/**
 * Returns null for a token that this installation did not create.
 * @param keys derived from each encryption key of the installation
 */
export function openHookToken(token: string, keys: readonly Buffer[]): HookTarget | null {
  const target = openTarget(token, { bytes: 36, keys });
  return (
    target && {
      workspaceId: uuidOf(target.subarray(0, 16)),
      reminderId: uuidOf(target.subarray(16, 32)),
      generation: target.readUInt32BE(32),
    }
  );
}
