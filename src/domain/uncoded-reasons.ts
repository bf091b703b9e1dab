import type { ChannelType } from '#contract/channel-types.ts';
import { entitlements } from '#contract/plans.ts';
import { channelTypes } from '#contract/channel-types.ts';
import type { ReasonCode } from '#contract/reason-codes.ts';
import { codeOfAnswer } from '#domain/answer-codes.ts';
import { beyondPlan, channelNotInPlan, planUsedUp, type Reason } from '#domain/ledger-reasons.ts';

// Rows that versions before 0077_reason_codes.sql wrote have a sentence and no code: to change a whole ledger at the start of a
// new version would take too long. This is the only place that reads those sentences.

/** The reason of a ledger row, whatever version wrote it; null when it has none. */
export const reasonOf = (row: {
  channel: ChannelType;
  reason: string | null;
  reason_code: ReasonCode | null;
  provider_answer?: string | null;
}): Reason | null =>
  row.reason === null ? null : { code: row.reason_code ?? codeOfWords(row.reason, row), reason: row.reason };

const codeOfWords = (
  reason: string,
  { channel, provider_answer: answer = null }: { channel: ChannelType; provider_answer?: string | null },
): ReasonCode =>
  beginnings.find(([beginning]) => beginning.test(reason))?.[1] ?? codeOfAnswer(channel, { reason, answer });

const beginnings: readonly [RegExp, ReasonCode][] = [
  [/^Waits for sending hours/, 'waiting_for_sending_hours'],
  [/^Waits for the rate limit/, 'waiting_for_rate_limit'],
  [/^The destination is busy with earlier messages/, 'destination_busy'],
  [/^Not tried: the last /, 'circuit_open'],
  [/^The server was stopped/, 'server_stopped'],
  [/^The recipient is on the suppression list/, 'suppressed'],
  [/^Cancelled by |^The job was cancelled/, 'cancelled'],
  [/^The event was cancelled|^Its calendar no longer has/, 'event_cancelled'],
  [/^The reminder was edited|^The reminder no longer waits/, 'reminder_edited'],
  [/^The reminder (?:was|is) paused/, 'reminder_paused'],
  [/^The reminder was deleted/, 'reminder_deleted'],
  [/^The reminder /, 'reminder_inactive'],
  [/^All reminders were paused/, 'all_reminders_paused'],
  [/^The workspace was deleted/, 'workspace_deleted'],
  [/^The workspace was suspended/, 'workspace_suspended'],
  [/^Missed: /, 'missed'],
  [/^Expired[: ]/, 'expired'],
  [/^No longer among/, 'no_longer_in_audience'],
  [/^(?:An e-mail address|A phone number|A URL) fits|^"/, 'unfit_address'],
  [/^missing variable /, 'missing_value'],
  [/^The message (?:cannot be|was not) rendered/, 'not_rendered'],
  [
    /^The workspace has no active channel|^The installation's own configuration|^This version cannot send/,
    'no_channel',
  ],
  [/^The channel's configuration cannot be used/, 'no_channel'],
  [/^The \w{1,20} channel is (?:disabled|switched off)/, 'channel_disabled'],
  [/^The server stopped, and the message may have been sent/, 'worker_lost'],
  [/^Sent, but |^Handed over, but not confirmed/, 'unconfirmed'],
  [/^“[^”]{0,400}” is not an e-mail address/, 'no_such_address'],
  [/^The \w{1,40} adapter failed: /, 'adapter_failed'],
  [/^Not sent: /, 'unreachable'],
];

const planRefusals: ReadonlySet<string> = new Set(
  Object.values(entitlements).flatMap(({ name, occurrencesPerMonth }) =>
    [
      planUsedUp(name, occurrencesPerMonth),
      beyondPlan(name),
      ...channelTypes.map((channel) => channelNotInPlan(name, channel)),
    ].map(({ reason }) => reason),
  ),
);

/** Whether a job was not sent because of the plan, so that another one would help. */
export const isPlanRefusal = ({
  reason_code: code,
  error_message: message,
}: {
  reason_code: ReasonCode | null;
  error_message: string;
}): boolean => (code === null ? planRefusals.has(message) : code === 'over_plan' || code === 'channel_not_in_plan');
