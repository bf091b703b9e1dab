import type { ChannelType } from '#contract/channel-types.ts';
import { findErasedEntries, findSecret } from '#features/erasures/erasures.db.ts';
import type { Db } from '#platform/database.ts';
import { erasedKeyOf, openErasureSecret } from '#platform/erased-address.ts';
import { mapInSlices } from '#platform/in-slices.ts';
import type { SecretBox } from '#platform/secrets.ts';

export type InWorkspace = { db: Db; workspaceId: string; secrets: SecretBox };

/**
 * Under what the suppression list may have these recipients, with the key of each: the keys themselves, and what stands in place of the keys of people
 * who were erased. Whoever asks the list asks for all of them.
 */
export async function listedKeys(of: InWorkspace, keys: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const listed = new Map(keys.map((key) => [key, key]));
  const erased = keys.length === 0 ? null : await erasedKeys(of);
  if (erased !== null)
    for (const [hash, key] of await mapInSlices(keys, (key) => [erased(key), key] as const)) listed.set(hash, key);
  return listed;
}

/** Which of these keys belong to people who were erased: a message to them is not sent, and what they say is not stored. */
export async function erasedAmong(
  of: InWorkspace,
  { channel, keys }: { channel: ChannelType; keys: readonly string[] },
): Promise<ReadonlySet<string>> {
  const listed = await listedKeys(of, keys);
  const found = await findErasedEntries(of.db, { ...of, channel, recipients: [...listed.keys()] });
  return new Set(found.flatMap((recipient) => listed.get(recipient) ?? []));
}

/** Null where the workspace has erased nobody, or the key of the hashes was sealed with a key that is lost. */
async function erasedKeys({ db, workspaceId, secrets }: InWorkspace): Promise<((key: string) => string) | null> {
  const sealed = await findSecret(db, { workspaceId });
  if (sealed === undefined || secrets.keyOf(sealed) === 'unknown') return null;
  return erasedKeyOf(openErasureSecret(sealed, { workspaceId, secrets }));
}
