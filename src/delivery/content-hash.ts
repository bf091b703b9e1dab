import { hash } from 'node:crypto';

/** By which the ledger tells whether a message that is written again is the one that was sent. */
export const contentHashOf = ({ subject, message }: { subject: string; message: string }) =>
  hash('sha256', `${subject}\n${message}`, 'base64url');
