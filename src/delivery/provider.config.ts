import { type CountryCode, isSupportedCountry } from 'libphonenumber-js';
import { z } from 'zod';
import type { ChannelField } from '#contract/channels.ts';

/** The spec's sentence for a configuration that lacks what its provider cannot do without. */
export const incomplete = 'Configuration incomplete';

/** A form sends empty text for a field that was left blank. */
const blank = z.literal('').transform(() => undefined);

export const Needed = z.string(incomplete).trim().min(1, incomplete).max(500, 'must be at most 500 characters');
export const Optional = blank.or(z.string().trim().max(500, 'must be at most 500 characters')).optional();

/** What travels in a header: one line without anything that HTTP would read as its own. */
const isToken = (text: string) => /^[\x21-\x7e]*$/.test(text);
const tokenMessage = 'must be one line without blanks';
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
  .transform((text) => text.replace(/\/+$/, ''));

/** Where a provider's API is, if not where the provider has it. */
export const BaseUrl = (usual: string) =>
  z
    .union([blank, HttpUrl])
    .default(usual)
    .transform((url) => url ?? usual);

/** Numbers without a country code are of this country. */
export const DefaultCountry = z
  .union([
    blank,
    z.string().trim().toUpperCase().refine(isCountry, 'must be a country code of two letters, such as DE'),
  ])
  .optional();

export function isCountry(text: string): text is CountryCode {
  return isSupportedCountry(text);
}

/** Given by the channel's service, not by people: names the address of the provider's reports. */
export const CallbackToken = z.string().optional();

export const baseUrlField = (usual: string): ChannelField => ({
  name: 'base_url',
  label: 'Base URL',
  kind: 'text',
  required: false,
  placeholder: usual,
  help: 'Only where the API is reached at another address',
});

export const defaultCountryField: ChannelField = {
  name: 'default_country',
  label: 'Default Country',
  kind: 'text',
  required: false,
  placeholder: 'DE',
  help: 'Two letters: the country of numbers that are written without a country code',
};
