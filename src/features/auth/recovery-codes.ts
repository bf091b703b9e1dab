import { randomInt } from 'node:crypto';

/** Letters and digits that do not look alike on paper: without 0 and o, 1, i and l. */
const alphabet = 'abcdefghjkmnpqrstuvwxyz23456789';
const count = 10;
const length = 10;

/** Ten codes of 49 random bits each, such as `k3fqx-7mwrn`. */
export const newRecoveryCodes = (): string[] => Array.from({ length: count }, newCode);

function newCode(): string {
  const characters = Array.from({ length }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `${characters.slice(0, length / 2)}-${characters.slice(length / 2)}`;
}

/** Normalizes a code that somebody typed, perhaps in capitals, with spaces, or without the hyphen. */
export function recoveryCodeOf(typed: string): string {
  const characters = typed.toLowerCase().replaceAll(/[\s-]+/g, '');
  return `${characters.slice(0, length / 2)}-${characters.slice(length / 2)}`;
}
