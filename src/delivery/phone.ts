import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js';
import { z } from 'zod';
import { DefaultCountry } from '#delivery/provider.config.ts';

/** What the configuration of a phone channel says about numbers without a country code. */
export type Dialling = {
  default_country?: CountryCode;
  /** The sender; its country is that of such numbers, where none is named. */
  from_number?: string;
  /** Some providers' name for the sender. */
  phone_number_id?: string;
};

const text = z.string().optional().catch(undefined);

/** Reads it out of whatever a configuration holds besides. */
export const Dialling = z.object({
  default_country: DefaultCountry.catch(undefined),
  from_number: text,
  phone_number_id: text,
});

/**
 * A phone number in E.164, such as +491701234567. Null for what is none, and for a national number where no country is
 * known. Whether somebody has the number is left to the provider: numbering plans change faster than any list of them.
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
