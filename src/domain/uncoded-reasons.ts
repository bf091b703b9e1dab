import type { ChannelType } from '#contract/channel-types.ts';
import type { ReasonCode } from '#contract/reason-codes.ts';
import { codeOfAnswer } from '#domain/answer-codes.ts';
import { isWait, jobWasCancelled, type Reason } from '#domain/ledger-reasons.ts';

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
): ReasonCode => codeOfSentence(reason) ?? codeOfAnswer(channel, { reason, answer });

/** Why a job was stopped or cancelled, by its words alone: they are never those of another side. */
export const reasonOfStop = ({ code, reason }: { code: ReasonCode | null; reason: string }): Reason => ({
  code: code ?? codeOfSentence(reason) ?? jobWasCancelled.code,
  reason,
});

/** How much of a sentence is looked at. */
const mostRead = 2_000;

function codeOfSentence(sentence: string): ReasonCode | null {
  const words = sentence.slice(0, mostRead);
  if (words.includes('(expired before it could be tried)')) return 'expired';
  const code = sentences.find(([pattern]) => pattern.test(words))?.[1] ?? null;
  const isOver = words.includes('(expired before the next attempt)') || words.includes('(its time limit has passed)');
  return code !== null && isOver && isWait(code) ? 'expired' : code;
}

const sentences: readonly [RegExp, ReasonCode][] = [
  [/^Waits for sending hours/, 'waiting_for_sending_hours'],
  [/^Waits for the rate limit/, 'waiting_for_rate_limit'],
  [/^The destination is busy with earlier messages/, 'destination_busy'],
  [/^Not tried: the last /, 'circuit_open'],
  [/^The server was stopped/, 'server_stopped'],
  [/^The recipient is on the suppression list/, 'suppressed'],
  [/^The event names nobody/, 'event_names_nobody'],
  [/^Cancelled by |^The job was cancelled/, 'cancelled'],
  [/^The event was cancelled|^Its calendar no longer has/, 'event_cancelled'],
  [/^The reminder was edited|^The reminder no longer waits/, 'reminder_edited'],
  [/^The reminder (?:was|is) paused|^Its time passed while the reminder was paused/, 'reminder_paused'],
  [/^The reminder was deleted/, 'reminder_deleted'],
  [/^The reminder /, 'reminder_inactive'],
  [/^All reminders were paused/, 'all_reminders_paused'],
  [/^The workspace was deleted/, 'workspace_deleted'],
  [/^The workspace was suspended/, 'workspace_suspended'],
  [/^Missed: /, 'missed'],
  [/^Expired[: ]/, 'expired'],
  [/^Outside of sending hours/, 'outside_sending_hours'],
  [/^The [\w ]{1,40} plan(?:'s \d+ reminders of this month are used up| includes one workspace)/, 'over_plan'],
  [/^The [\w ]{1,40} plan does not include /, 'channel_not_in_plan'],
  [/^No longer among/, 'no_longer_in_audience'],
  [/^Nobody belongs to the audience|^There were no recipients/, 'empty_audience'],
  [/^The audience has more than/, 'audience_too_large'],
  [/^It (?:was accepted|may have arrived) over \w/, 'sent_over_another_channel'],
  [/^This job cannot be read|^The message of this job cannot be read/, 'unreadable_job'],
  [/^(?:Nobody in this workspace|The sender of this test) has(?: not)? turned on push/, 'no_device'],
  [/^Every browser of this workspace has turned push/, 'no_device'],
  [/^(?:An e-mail address|A phone number|A URL) fits|^"/, 'unfit_address'],
  [/^missing variable /, 'missing_value'],
  [/^The message (?:cannot be|was not) rendered/, 'not_rendered'],
  [
    /^The workspace has no active channel|^The installation's own configuration|^This version cannot send/,
    'no_channel',
  ],
  [
    /^The channel's configuration cannot be used|^Configuration incomplete|^This webhook channel has no URL/,
    'no_channel',
  ],
  [/^The \w{1,20} channel is (?:disabled|switched off)/, 'channel_disabled'],
  [/^The server stopped, and the message may have been sent/, 'worker_lost'],
  [/^Sent, but |^Handed over, but not confirmed|^No answer(?=$| \()/, 'unconfirmed'],
  [/^“[^”]{0,400}” is not an e-mail address/, 'no_such_address'],
  [/^“[^”]{0,400}” is not a phone number/, 'unfit_address'],
  [/^The message (?:has|takes) \d{1,9} (?:characters|segments)[;,]/, 'too_large'],
  [/^The \w{1,40} adapter failed: /, 'adapter_failed'],
  [/^Not sent: /, 'unreachable'],
  // After a name, which may be any words.
  [/ has (?:no e-mail address|no phone number|neither an e-mail address nor a phone number)$/, 'no_address'],
  [/ is not sent to: the webhook calls the URLs of the list only$/, 'no_address'],
];

/** Whether a job was not sent because of the plan, so that another one would help. */
export function isPlanRefusal({
  reason_code: code,
  error_message: message,
}: {
  reason_code: ReasonCode | null;
  error_message: string;
}): boolean {
  const known = code ?? codeOfSentence(message);
  return known === 'over_plan' || known === 'channel_not_in_plan';
}
