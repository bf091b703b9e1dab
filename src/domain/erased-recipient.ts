/** A recipient as people read it: what stands in place of an erased address says nothing to them. */
export const recipientText = (recipient: string): string => (/^#[\w-]{43}$/.test(recipient) ? 'Erased' : recipient);
