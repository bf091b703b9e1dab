import type { Pool } from 'pg';
import webPush from 'web-push';
import { z } from 'zod';
import type { Devices } from '#delivery/push/devices.ts';
import type { SecretBox } from '#platform/secrets.ts';

/** The pair that this installation signs with (RFC 8292). Browsers are bound to it: another pair reaches none of them. */
const Keys = z.object({ public_key: z.string(), private_key: z.string() });
export type PushKeys = z.output<typeof Keys>;

const key = 'engine.push_keys';
const place = { workspaceId: '', purpose: 'the keys of web push' };

/** Made at the first start and kept sealed; anew where they were sealed with an encryption key that is gone. */
export async function openPushKeys(engine: Pool, secrets: SecretBox): Promise<PushKeys> {
  const { rows } = await engine.query<{ value: unknown }>('select value from app_settings where key = $1', [key]);
  const stored = rows[0]?.value;
  const kept = opened(stored, secrets);
  if (kept !== null) return kept;
  const { publicKey, privateKey } = webPush.generateVAPIDKeys();
  const sealed = secrets.seal(JSON.stringify({ public_key: publicKey, private_key: privateKey }), place);
  // Of two processes that start at once one is first; the other takes its pair.
  const { rows: settled } = await engine.query<{ value: unknown }>(
    `insert into app_settings as s (key, value) values ($1, $2)
     on conflict (key) do update set value = case when s.value = $3 then excluded.value else s.value end, updated_at = now()
     returning value`,
    [key, JSON.stringify(sealed), JSON.stringify(stored ?? null)],
  );
  const made = opened(settled[0]?.value, secrets);
  if (made === null) throw new Error('The keys of web push cannot be opened: were two encryption keys used at once?');
  return made;
}

function opened(stored: unknown, secrets: SecretBox): PushKeys | null {
  if (typeof stored !== 'string') return null;
  try {
    return Keys.parse(JSON.parse(secrets.open(stored, place)));
  } catch {
    return null;
  }
}

/** The subscribed browsers, as the engine sees them: of every workspace. */
export const createDevices = (engine: Pool): Devices => ({
  async of(workspaceId) {
    const { rows } = await engine.query<{ endpoint: string; p256dh: string; auth: string }>({
      name: 'push-devices-of',
      text: 'select endpoint, p256dh, auth from push_subscriptions where workspace_id = $1 order by created_at, id',
      values: [workspaceId],
    });
    return rows.map(({ endpoint, ...keys }) => ({ endpoint, keys }));
  },
  async forget(workspaceId, endpoints) {
    await engine.query({
      name: 'forget-push-devices',
      text: 'delete from push_subscriptions where workspace_id = $1 and endpoint = any ($2::text[])',
      values: [workspaceId, endpoints],
    });
  },
});
