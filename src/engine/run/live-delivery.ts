import type { ChannelType } from '#contract/channel-types.ts';
import type { DeliveryStatus } from '#contract/deliveries.ts';

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

export const isFinal = (status: DeliveryStatus) => status !== 'queued' && status !== 'sending' && status !== 'waiting';

/** Names a row by the recipient as it is stored; `ledgerKey` makes one of all spellings. */
export const exactKey = (row: { channel: string; recipient: string }) => `${row.channel} ${row.recipient}`;
