import { sql } from 'kysely';
import type { CountryCode } from 'libphonenumber-js';
import { Dialling, phoneKey } from '#delivery/phone.ts';
import { isCountry } from '#delivery/provider.config.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { type International, isPhoneChannel, type PhoneChannel } from '#domain/recipients.ts';
import type { TenantContext } from '#platform/context.ts';
import { Invalid } from '#platform/errors.ts';

/**
 * The country of numbers without a country code: the given one, or else that of the workspace's phone channel, which will call them.
 * Throws Invalid for a country without a calling code.
 */
export async function diallingOf(
  { db, workspaceId }: Pick<TenantContext, 'db' | 'workspaceId'>,
  {
    country,
    channel,
    pinned,
  }: { country: string | null | undefined; channel?: PhoneChannel; pinned?: string | undefined },
): Promise<Dialling> {
  if (country !== null && country !== undefined) return { default_country: countryNamed(country) };
  const found = await db
    .selectFrom('channels')
    .where('workspace_id', '=', workspaceId)
    .where('type', 'in', channel === undefined ? ['sms', 'whatsapp'] : [channel])
    .where('is_active', '=', true)
    .select('configuration')
    .orderBy('type')
    .orderBy(sql`coalesce(id = ${pinned ?? null}::uuid, false)`, 'desc')
    .orderBy('updated_at', 'desc')
    .executeTakeFirst();
  return found === undefined ? {} : Dialling.parse(found.configuration);
}

/** How the workspace's channels of these types call numbers; a pinned one is preferred. */
export async function internationalOf(
  ctx: TenantContext,
  {
    channels,
    pinned = {},
  }: { channels: readonly ChannelType[]; pinned?: Partial<Record<ChannelType, string | undefined>> },
): Promise<International> {
  const dialling = new Map<PhoneChannel, Dialling>();
  for (const channel of channels.filter(isPhoneChannel))
    dialling.set(channel, await diallingOf(ctx, { country: null, channel, pinned: pinned[channel] }));
  return (number, channel) => phoneKey(number, dialling.get(channel));
}

function countryNamed(text: string): CountryCode {
  if (!isCountry(text)) throw new Invalid([{ path: 'default_country', message: `“${text}” is not a country` }]);
  return text;
}
