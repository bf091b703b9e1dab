import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js';
import { z } from 'zod';
import { DefaultCountry } from '#delivery/provider.config.ts';

/** The settings of a phone channel for numbers without a country code. */
export type Dialling = {
  default_country?: CountryCode;
  /** The sender. Its country is the default when none is set. */
  from_number?: string;
  /** The name that some providers use for the sender. */
  phone_number_id?: string;
};

const text = z.string().optional().catch(undefined);

/** Reads them from any configuration. */
export const Dialling = z.object({
  default_country: DefaultCountry.catch(undefined),
  from_number: text,
  phone_number_id: text,
});

/**
 * Converts a phone number to E.164, such as +491701234567. Null for text that is no number, and for a national number
 * when no country is known. Whether the number is assigned is left to the provider: numbering plans change faster than
 * any list of them.
 */
export function e164(number: string, dialling: Dialling = {}): string | null {
  const parsed = parsePhoneNumberFromString(number, { defaultCountry: countryOf(dialling), extract: false });
  return parsed?.isPossible() === true ? parsed.number : null;
}

function countryOf({ default_country, from_number, phone_number_id }: Dialling): CountryCode | undefined {
  if (default_country !== undefined) return default_country;
  const sender = from_number ?? phone_number_id ?? '';
  return parsePhoneNumberFromString(sender.replace(/^whatsapp:/, ''))?.country;
}

export const notANumber = (number: string) =>
  `“${number}” is not a phone number with its country code, such as +491701234567`;
