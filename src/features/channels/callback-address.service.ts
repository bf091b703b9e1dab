import type { Pool } from 'pg';
import type { ChannelType } from '#contract/channel-types.ts';
import { callbackGeneration, callbackToken, defaultCallbackToken } from '#features/channels/callback-token.ts';
import type { SecretBox } from '#platform/secrets.ts';

/** The call-back address of a channel, which contains its token. */
export const callbackUrl = (url: string, { provider, token }: { provider: string; token: string }) =>
  `${url}/api/callbacks/${provider}/${token}`;

type Account = { workspaceId: string; channel: ChannelType; provider: string };

/**
 * The call-back address that a person would configure at the provider: that of the workspace's channel, or of the
 * installation's default channel. Channels of a type with one provider do not name it.
 */
export function createAccountWebhooks(engine: Pool, { secrets, url }: { secrets: SecretBox; url: () => string }) {
  return async ({ workspaceId, channel, provider }: Account): Promise<string | null> => {
    const { rows } = await engine.query<{ id: string; sealed_secrets: Record<string, string> }>({
      name: 'channel-of-account',
      text: `
      select id, sealed_secrets from channels
       where workspace_id = $1 and type = $2 and coalesce(configuration ->> 'provider', $3) = $3
       order by is_active desc, updated_at desc
       limit 1`,
      values: [workspaceId, channel, provider],
    });
    const [row] = rows;
    const context = { workspaceId, channelId: row?.id ?? '' };
    const token =
      row === undefined
        ? defaultCallbackToken(secrets, { type: channel, workspaceId })
        : callbackToken(
            { ...context, generation: callbackGeneration(row.sealed_secrets, { context, secrets }) },
            secrets,
          );
    return token === undefined ? null : callbackUrl(url(), { provider, token });
  };
}
