import { hash } from 'node:crypto';
import type { ChannelType } from '#contract/channel-types.ts';
import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { ReasonCode } from '#contract/reason-codes.ts';
import type { ReasonParams } from '#contract/reason-params.ts';
import { isAddressUnused, type Reason } from '#domain/ledger-reasons.ts';
import { recipientKey } from '#domain/recipients.ts';

/** One ledger row while its attempt is prepared or under way. */
export type LiveDelivery = {
  id: string;
  channel: ChannelType;
  recipient: string;
  recipient_name: string | null;
  /** The number of the attempt under way; 0 while queued. */
  attempts: number;
  unknowns: number;
};

export type LedgerRow = LiveDelivery & {
  job_id: string;
  status: DeliveryStatus;
  first_attempt_at: string | null;
  next_attempt_at: string | null;
  reason: string | null;
  reason_code: ReasonCode | null;
  reason_params: ReasonParams | null;
  /** The contact's id, for a person of the audience. */
  contact_id: string | null;
  through: string | null;
  /**
   * Whether a report has failed it after it had been accepted, or may have arrived. A manual retry that opens it again leaves this as it is until the
   * next attempt.
   */
  has_failed_late: boolean;
};

export type EndedRow = Pick<LedgerRow, 'channel' | 'recipient' | 'status' | 'reason' | 'reason_code'>;

/** Until when a delivery is deferred, and why. */
export type Deferral = { atMs: number } & Reason;

/** A delivery over one channel that has another channel after it. */
export type Fallback = {
  next: ChannelType;
  /** When attempts over this channel end. Then the next channel is tried. */
  untilMs: number;
  /** The ledger has the next channel's row as open already: a manual retry opens every row that was not served. */
  hasSpare: boolean;
};

export const isFinal = (status: DeliveryStatus) => status !== 'queued' && status !== 'sending' && status !== 'waiting';

/** Whether something was sent to the address of a row, or may have been, or was not to be: the person is not written to at another one instead. */
export const isSettled = ({ status, unknowns, reason_code: code }: LedgerRow): boolean =>
  status === 'sending' || unknowns > 0 || (isFinal(status) && (code === null || !isAddressUnused(code)));

/** The key of a row by the recipient exactly as stored; `ledgerKey` is the same for all spellings. */
export const exactKey = (row: { channel: string; recipient: string }) => `${row.channel} ${row.recipient}`;

/** The identity of a recipient on a channel, however the address is spelled. */
export const ledgerKey = (row: { channel: string; recipient: string }) =>
  `${row.channel} ${recipientKey(row.recipient)}`;

/**
 * The id of a recipient's delivery, the same whenever it is made, so that a receiver knows the message again even after the database has lost that it was
 * sent. A UUIDv8 (RFC 9562, section 5.8): 48 bits of the planned time in milliseconds, because lists of deliveries are ordered by it, and 74 bits of SHA-256
 * over job, channel and recipient.
 */
export function deliveryIdOf(
  job: { id: string; scheduledForMs: number },
  row: { channel: string; recipient: string },
): string {
  const digest = hash('sha256', `${job.id} ${ledgerKey(row)}`, 'hex');
  const variant = '89ab'.charAt(Number.parseInt(digest.charAt(3), 16) & 0x3);
  return `${timePartOf(job.scheduledForMs)}${digest.slice(0, 3)}-${variant}${digest.slice(4, 7)}-${digest.slice(7, 19)}`;
}

let last = { ms: Number.NaN, part: '' };

/** The first 13 digits of the id, up to its version. Cached, because most deliveries of a claim are planned for the same time. */
function timePartOf(ms: number): string {
  if (last.ms === ms) return last.part;
  const time = ms.toString(16).padStart(12, '0').slice(-12);
  last = { ms, part: `${time.slice(0, 8)}-${time.slice(8)}-8` };
  return last.part;
}
