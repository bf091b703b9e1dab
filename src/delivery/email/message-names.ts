/** The ledger row of a mail. The job id is needed to find it. */
export type MailName = { deliveryId: string; jobId: string };

/**
 * A mail's name in its Message-ID and as ENVID (RFC 3461, section 4.4), in 43 characters. Reports about it contain one
 * of the two. The same for every attempt.
 */
export const mailNameOf = ({ deliveryId, jobId }: MailName): string =>
  Buffer.from((deliveryId + jobId).replaceAll('-', ''), 'hex').toString('base64url');

/** Finds the first such name in a text, alone or within a Message-ID; null when there is none. */
export function mailNameIn(text: string): MailName | null {
  for (const [word] of text.matchAll(/(?<![\w.-])[\w-]{43}(?![\w.-])/g)) {
    const hex = Buffer.from(word, 'base64url').toString('hex');
    const [deliveryId, jobId] = [hex.slice(0, 32), hex.slice(32)].map(asUuid);
    if (deliveryId && jobId) return { deliveryId, jobId };
  }
  return null;
}

/** Null when version and variant are not those of our ids (RFC 9562). */
function asUuid(hex: string): string | null {
  const parts = /^(.{8})(.{4})([478].{3})([89ab].{3})(.{12})$/.exec(hex);
  return parts === null ? null : parts.slice(1).join('-');
}
