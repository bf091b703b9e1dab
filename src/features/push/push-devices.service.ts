import type { Pool } from 'pg';
import webPush from 'web-push';
import { z } from 'zod';
import type { PushDevices } from '#delivery/push/devices.ts';
import type { SecretBox } from '#platform/secrets.ts';
import { readSetting, replaceSetting } from '#platform/settings.ts';

/** The key pair that this installation signs with (RFC 8292). Browsers are subscribed for one pair: with another none can be reached. */
const Keys = z.object({ public_key: z.string(), private_key: z.string() });
export type PushKeys = z.output<typeof Keys>;

export const pushKeysName = 'engine.push_keys';
export const pushKeysContext = { workspaceId: '', purpose: 'the keys of web push' };

/** Created at the first start and stored encrypted; created again when the encryption key has changed. */
export async function openPushKeys(engine: Pool, secrets: SecretBox): Promise<PushKeys> {
  const stored = await readSetting(engine, pushKeysName);
  const kept = opened(stored, secrets);
  if (kept !== null) return kept;
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const sealed = secrets.seal(JSON.stringify({ public_key: publicKey, private_key: privateKey }), pushKeysContext);
  // Of two processes that start simultaneously, one inserts its pair and the other uses it.
  const made = opened(await replaceSetting(engine, { key: pushKeysName, value: sealed, known: stored }), secrets);
  if (made === null) throw new Error('The keys of web push cannot be opened: were two encryption keys used at once?');
  return made;
}

function opened(stored: unknown, secrets: SecretBox): PushKeys | null {
  if (typeof stored !== 'string') return null;
  try {
    return Keys.parse(JSON.parse(secrets.open(stored, pushKeysContext)));
  } catch {
    return null;
  }
}

/** The browsers of every workspace that take push messages, for the engine. */
export const createPushDevices = (engine: Pool): PushDevices => ({
  async of(workspaceId, memberId) {
    const { rows } = await engine.query<{ endpoint: string; p256dh: string; auth: string }>({
      name: 'push-devices-of',
      text: `select endpoint, p256dh, auth from push_browsers
              where workspace_id = $1 and ($2::uuid is null or user_id = $2)
                and not exists (select from profiles p where p.id = user_id and p.suspended_at is not null)
              order by created_at, id`,
      values: [workspaceId, memberId ?? null],
    });
    return rows.map(({ endpoint, ...keys }) => ({ endpoint, keys }));
  },
  async forget(workspaceId, endpoints) {
    await engine.query({
      name: 'forget-push-devices',
      text: 'delete from push_browsers where workspace_id = $1 and endpoint = any ($2::text[])',
      values: [workspaceId, endpoints],
    });
  },
  async markUsed(workspaceId, endpoints) {
    await engine.query({
      name: 'mark-push-devices-used',
      text: 'update push_browsers set last_used_at = now() where workspace_id = $1 and endpoint = any ($2::text[])',
      values: [workspaceId, endpoints],
    });
  },
});
