import { z } from 'zod';

/**
 * Why a delivery, or its job, stands where it stands: the code beside the sentence. What code decides, it decides by this;
 * `domain/ledger-reasons.ts` makes the sentences. A code keeps its meaning; rows of versions before codes have none.
 */
export const reasonCodes = [
  // It waits, and nothing has failed.

  /** The workspace's sending hours have not begun. */
  'waiting_for_sending_hours',
  /** The recipient wants messages in other hours, which have not begun. */
  'waiting_for_quiet_hours',
  /** The address has had as many messages as the workspace's cap allows, and there is room on a later day. */
  'waiting_for_cap',
  /** The channel's limit of messages per second is used up by others before it. */
  'waiting_for_rate_limit',
  /** Too many messages to the same destination are in flight. */
  'destination_busy',
  /** The destination's circuit breaker is open: its last attempts failed. */
  'circuit_open',
  /** The process that was to send it stopped before it did. */
  'server_stopped',
  /** The machine that was to send it had no file, port, memory or disk left. */
  'server_exhausted',

  // It is not sent, on purpose.

  /** The recipient is on the suppression list, for everything. */
  'suppressed',
  /** The workspace requires a consent for the channel, and none is on record. */
  'no_consent',
  /** The recipient has left all optional messages. */
  'left_topics',
  'paused_by_recipient',
  /** The recipient has left the topic of the message. */
  'left_topic',
  /** Somebody has skipped this run for the person. */
  'person_skipped',
  /** Reminders to the person are paused until a day, or were when it came due. */
  'person_paused',
  /** A person cancelled the job. */
  'cancelled',
  /** Its event was cancelled, or is no longer in its calendar. */
  'event_cancelled',
  /** Its event names nobody to whom it could be sent. */
  'event_names_nobody',
  /** The reminder was edited after the job began. */
  'reminder_edited',
  /** The reminder is paused, or was when it came due. */
  'reminder_paused',
  /** The reminder is not active, and not paused. */
  'reminder_inactive',
  /** The reminder was deleted. */
  'reminder_deleted',
  /** All reminders of the workspace are paused, or were when it came due. */
  'all_reminders_paused',
  /** The workspace was deleted. */
  'workspace_deleted',
  /** An administrator of the installation suspended the workspace. */
  'workspace_suspended',
  /** Its time passed while nothing could be sent, and the misfire rule does not catch up with it. */
  'missed',
  /** Its time to be sent was over before an attempt could begin. */
  'expired',
  /** Its next occurrence comes before the sending hours begin. */
  'outside_sending_hours',
  /** The sending hours and those in which the recipient wants messages never meet. */
  'hours_never_meet',
  /** The address has had as many messages as the workspace's cap allows, and another day would be too late. */
  'over_cap',
  /** The plan's messages are used up, or the plan is for another workspace. */
  'over_plan',
  /** A demo sends so much at once, and in an hour. */
  'over_demo_limit',
  /** The demo has sent all that a demo may send. */
  'demo_spent',
  /** The plan does not include the channel. */
  'channel_not_in_plan',
  /** The channel is switched off. */
  'channel_disabled',
  /** No member's browser takes push messages. */
  'no_device',
  /** The address or number fits no channel of the reminder, is not valid, or contains invisible characters. */
  'unfit_address',
  /** A person of the audience has no address or number for the channels. */
  'no_address',
  /** The recipient was removed by an edit, or no longer belongs to the audience. */
  'no_longer_in_audience',
  /** Nobody belongs to the audience, or there are no recipients. */
  'empty_audience',
  /** The audience has more people than one occurrence may have. */
  'audience_too_large',
  /** Channels are tried in order, and another one has delivered it or may have. */
  'sent_over_another_channel',
  /** What is stored about the job cannot be read. */
  'unreadable_job',

  // It cannot be sent from here.

  /** A variable of the message has no value. */
  'missing_value',
  /** The message cannot be rendered. */
  'not_rendered',
  /** There is no channel of this type, or its configuration is not usable. */
  'no_channel',
  /** The code of the provider's adapter threw an error. */
  'adapter_failed',

  // It may have arrived.

  /** It was handed over, but neither accepted nor refused. */
  'unconfirmed',
  /** The process that was sending it ended without an outcome. */
  'worker_lost',

  // What the other side answered.

  /** The server cannot be reached, or the egress guard forbids it. */
  'unreachable',
  /** There is no such mailbox or address. */
  'no_such_address',
  /** There is no such number, or it takes no messages. */
  'no_such_number',
  /** The number is not on WhatsApp. */
  'not_on_whatsapp',
  /** The mailbox is full. */
  'mailbox_full',
  /** The message is too large for the mailbox, or for the channel. */
  'too_large',
  /** It was blocked as unwanted, or by a policy. */
  'unwanted',
  /** The recipient told the provider not to be written to. */
  'opted_out',
  /** The phone was off, or could not be reached. */
  'recipient_unreachable',
  /** WhatsApp accepts only approved templates more than a day after the recipient's last message. */
  'reply_window',
  /** The provider did not accept the login of the channel. */
  'channel_login',
  /** The other side takes no messages at the moment: it is busy, greylists, or limits the rate. */
  'temporarily_refused',
  /** There is nothing at the URL of the webhook. */
  'no_such_url',
  /** The receiver of the webhook did not allow access. */
  'receiver_login',
  /** The receiver of the webhook answered with a server error. */
  'receiver_error',
  /** The provider answered with a server error. */
  'provider_error',
  /** It was refused for any other reason. */
  'refused',
] as const;

export const ReasonCode = z.enum(reasonCodes);
export type ReasonCode = z.output<typeof ReasonCode>;

/** A row's code, or null. A code that only a newer version knows is read as null: the sentence beside it says the same. */
export const CodeOfRow = z.preprocess(
  (code: ReasonCode | null) => ReasonCode.safeParse(code).data ?? null,
  ReasonCode.nullable(),
);
