import { type CountryCode, isSupportedCountry } from 'libphonenumber-js';
import { z } from 'zod';
import type { ChannelField } from '#contract/channels.ts';

/** The spec's message for a configuration that lacks a required field. */
export const incomplete = 'Configuration incomplete';

/** A form sends empty text for a field that was left blank. */
const blank = z.literal('').transform(() => undefined);

export const Needed = z.string(incomplete).trim().min(1, incomplete).max(500, 'must be at most 500 characters');
export const Optional = blank.or(z.string().trim().max(500, 'must be at most 500 characters')).optional();

/** Text for a header: one line without characters that HTTP interprets. */
const isToken = (text: string) => /^[\x21-\x7e]*$/.test(text);
const tokenMessage = 'must be one line without spaces';
export const NeededKey = z.string(incomplete).trim().min(1, incomplete).max(4_000).refine(isToken, tokenMessage);
export const OptionalKey = blank.or(z.string().trim().max(4_000).refine(isToken, tokenMessage)).optional();

export const HttpUrl = z
  .string(incomplete)
  .trim()
  .min(1, { error: incomplete, abort: true })
  .max(2_000)
  .refine(
    (text) => /^https?:$/.test(URL.parse(text)?.protocol ?? ''),
    'must be a URL that begins with http:// or https://',
  )
  .transform((text) => text.replace(/(?<!\/)\/+$/, ''));

/** The base URL of a provider's API; default: the provider's own. */
export const BaseUrl = (usual: string) =>
  z
    .union([blank, HttpUrl])
    .default(usual)
    .transform((url) => url ?? usual);

/** The country of numbers without a country code. */
export const DefaultCountry = z
  .union([
    blank,
    z.string().trim().toUpperCase().refine(isCountry, 'must be a country code of two letters, such as DE'),
  ])
  .optional();

export function isCountry(text: string): text is CountryCode {
  return isSupportedCountry(text);
}

/** Set by the channel service, not by people. Part of the address for the provider's callbacks. */
export const CallbackToken = z.string().optional();

/** What each provider of messages to phones has that reports back; `api` is its usual address. */
export const phoneProvider = (api: string) => ({
  api_key: NeededKey,
  default_country: DefaultCountry,
  base_url: BaseUrl(api),
  callback_token: CallbackToken,
});

export const baseUrlField = (usual: string): ChannelField => ({
  name: 'base_url',
  label: 'Base URL',
  kind: 'text',
  required: false,
  placeholder: usual,
  help: 'Only if the API has a different address',
});

export const defaultCountryField: ChannelField = {
  name: 'default_country',
  label: 'Default Country',
  kind: 'text',
  required: false,
  placeholder: 'DE',
  help: 'Two letters: the country of numbers without a country code',
};
