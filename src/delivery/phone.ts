import { type CountryCode, parsePhoneNumberFromString } from 'libphonenumber-js';

type Dialling = {
  default_country?: CountryCode;
  /** The sender's own number; its country is that of numbers without one, where none is named. */
  from_number?: string;
};

/**
 * A phone number in E.164, such as +491701234567. Null for what is none, and for a national number where no country is
 * known. Whether somebody has the number is left to the provider: numbering plans change faster than any list of them.
 */
export function e164(text: string, { default_country, from_number }: Dialling): string | null {
  const country = default_country ?? parsePhoneNumberFromString(from_number ?? '')?.country;
  const parsed = parsePhoneNumberFromString(text, { defaultCountry: country, extract: false });
  return parsed?.isPossible() === true ? parsed.number : null;
}

export const notANumber = (text: string) =>
  `“${text}” is not a phone number with its country code, such as +491701234567`;
