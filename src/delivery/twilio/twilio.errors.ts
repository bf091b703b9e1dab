/**
 * Codes of twilio.com/docs/api/errors that a later attempt may not meet again: too many requests, full queues and
 * exceeded rates of the sender.
 */
const temporary = new Set([14107, 20429, 20500, 20503, 21611, 30001, 30022, 63018]);

export const isTemporaryCode = (code: number | undefined) => code !== undefined && temporary.has(code);

/** The meaning of a report's code. Reports contain no text. */
export function deliveryErrorInWords(code: string | null): string {
  if (code === null || code === '') return 'Twilio: the message could not be delivered';
  return `Twilio ${code}: ${words[code] ?? 'the message could not be delivered'}`;
}

const words: Record<string, string> = {
  21610: 'the recipient has unsubscribed',
  30001: 'queue overflow',
  30002: 'the account is suspended',
  30003: 'the handset is unreachable',
  30004: 'the message was blocked',
  30005: 'unknown handset',
  30006: 'landline or unreachable carrier',
  30007: 'filtered by the carrier',
  30008: 'unknown error',
  30009: 'a segment is missing',
  30010: 'the price exceeds the limit',
  30022: 'the rate of the US A2P 10DLC campaign is exceeded',
  30032: 'the toll-free number is not verified',
  30034: 'the number is not registered for US A2P 10DLC',
  30453: 'the message could not be delivered in time',
  63003: 'the recipient has no WhatsApp',
  63016: 'more than 24 hours after a reply, WhatsApp accepts approved templates only',
  63018: 'the rate of the channel is exceeded',
  63024: 'the recipient is invalid',
  63032: 'the recipient is in an experiment of WhatsApp and gets no messages',
};
