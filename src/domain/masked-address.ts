/**
 * Enough of an address or number to be known by whoever knows it: `a…@example.com`, `+49…678`. Other destinations, such as URLs, stay as they are.
 */
export function maskedAddress(address: string): string {
  const at = address.lastIndexOf('@');
  if (at > 0) return `${address.slice(0, 1)}…${address.slice(at)}`;
  return /^\+\d{7,}$/.test(address) ? `${address.slice(0, 3)}…${address.slice(-3)}` : address;
}

/** What the audit log calls a contact: their name, or else their address in part. */
export const nameInActs = ({ name, email, phone }: Record<'name' | 'email' | 'phone', string | null>): string =>
  name ?? maskedAddress(email ?? phone ?? '');
