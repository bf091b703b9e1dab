import { randomUUIDv7 } from 'node:crypto';
import type { Client } from 'pg';
import { createSecretBox } from '../../src/platform/secrets.ts';
import { channel } from '../webhook.ts';

export const encryptionKey = Buffer.alloc(32, 3).toString('base64');

/** A channel as the product stores it, with encrypted secrets. */
export type ChannelSeed = { type: 'webhook' | 'email'; configuration: object; secrets: Record<string, string> };

export const webhookChannel: ChannelSeed = { type: 'webhook', configuration: {}, secrets: { secret: channel.secret } };

/** The same with a URL that is called for people, who have none. */
export const relayChannel = (url: string): ChannelSeed => ({ ...webhookChannel, configuration: { url } });

/** @returns the id of a workspace with only this channel */
export async function createWorkspace(
  owner: Client,
  { slug, channel: { type, configuration, secrets } }: { slug: string; channel: ChannelSeed },
): Promise<string> {
  const workspaceId = randomUUIDv7();
  const channelId = randomUUIDv7();
  const box = createSecretBox(encryptionKey);
  const sealed = Object.fromEntries(
    Object.entries(secrets).map(([name, secret]) => [name, box.seal(secret, { workspaceId, channelId })]),
  );
  await owner.query("insert into workspaces (id, name, slug) values ($1, 'Bench', $2)", [workspaceId, slug]);
  await owner.query(
    `insert into channels (id, workspace_id, name, type, is_verified, configuration, sealed_secrets)
     values ($1, $2, 'Sink', $3, true, $4, $5)`,
    [channelId, workspaceId, type, configuration, sealed],
  );
  return workspaceId;
}
