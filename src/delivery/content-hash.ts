import { hash } from 'node:crypto';

let last: { subject: string; message: string; hash: string } | null = null;

/** Tells the ledger whether a message that is rendered again is the one that was sent. Cached, because most recipients of an occurrence get the same. */
export function contentHashOf({ subject, message }: { subject: string; message: string }): string {
  if (last?.subject !== subject || last.message !== message)
    last = { subject, message, hash: hash('sha256', `${subject}\n${message}`, 'base64url') };
  return last.hash;
}
