/** The line of the ledger that a mail is of. The job is how it is found there. */
export type MailName = { deliveryId: string; jobId: string };

/**
 * How a mail is called in its Message-ID and as ENVID (RFC 3461, section 4.4), in 43 characters: what comes back about it
 * has one of the two. The same for every attempt.
 */
export const mailNameOf = ({ deliveryId, jobId }: MailName): string =>
  Buffer.from((deliveryId + jobId).replaceAll('-', ''), 'hex').toString('base64url');

/** The first such name in a text, alone or within a Message-ID; null where there is none. */
export function mailNameIn(text: string): MailName | null {
  for (const [word] of text.matchAll(/(?<![\w.-])[\w-]{43}(?![\w.-])/g)) {
    const hex = Buffer.from(word, 'base64url').toString('hex');
    const [deliveryId, jobId] = [hex.slice(0, 32), hex.slice(32)].map(asUuid);
    if (deliveryId && jobId) return { deliveryId, jobId };
  }
  return null;
}

/** Null where version and variant are not those of our ids (RFC 9562). */
function asUuid(hex: string): string | null {
  const parts = /^(.{8})(.{4})([47].{3})([89ab].{3})(.{12})$/.exec(hex);
  return parts === null ? null : parts.slice(1).join('-');
}
