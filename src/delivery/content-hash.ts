import { hash } from 'node:crypto';

/** Tells the ledger whether a message that is rendered again is the one that was sent. */
export const contentHashOf = ({ subject, message }: { subject: string; message: string }) =>
  hash('sha256', `${subject}\n${message}`, 'base64url');
