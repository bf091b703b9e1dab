import type { ChannelType } from '#contract/channel-types.ts';
import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { ReasonCode } from '#contract/reason-codes.ts';
import type { ReasonParams } from '#contract/reason-params.ts';
import { pausedText, skippedText } from '#domain/exclusion-words.ts';
import {
  addressLackingIn,
  addressLackingWords,
  isUnreachedIn,
  missingNameIn,
  nextChannelIn,
  pauseEndIn,
} from '#domain/reason-values.ts';

/** `details`: what the provider and the ledger say, without repetition. */
export type Explanation = { problem: ReasonCode; sentence: string; details: string[] };

/** Skipped because of what the recipient, or somebody for them, wants. */
const ofTheList: ReadonlySet<ReasonCode> = new Set(['suppressed', 'left_topics', 'left_topic', 'paused_by_recipient']);

type Line = {
  channel: ChannelType;
  status: DeliveryStatus;
  reason: string | null;
  reason_code: ReasonCode | null;
  reason_params: ReasonParams | null;
  provider_answer: string | null;
};

/**
 * Explains why a message has not reached its recipient. Null where nothing went wrong, and where the ledger's reason is
 * the product's own sentence.
 */
export function explain(line: Line): Explanation | null {
  const problem = problemOf(line);
  const isExplained = line.status !== 'skipped' || (problem !== null && ofTheList.has(problem));
  const sentence = problem === null || !isExplained ? null : sentenceOf(problem, line.reason_params);
  if (problem === null || sentence === null) return null;
  const next = nextChannelIn(line.reason_params);
  const again =
    line.status === 'waiting'
      ? ' It will be tried again.'
      : next === null
        ? ''
        : ` The message continues over ${next}.`;
  return { problem, sentence: sentence + again, details: detailsOf(line) };
}

/** The ledger's reason and the provider's answer; only the answer if it begins with the reason. */
export function detailsOf({ reason, provider_answer: answer }: Pick<Line, 'reason' | 'provider_answer'>): string[] {
  const said = reason !== null && answer?.startsWith(`${reason}: `) === true ? [answer] : [reason, answer];
  return [...new Set(said)].filter((words) => words !== null && words !== '').map(String);
}

function problemOf(line: Line): ReasonCode | null {
  switch (line.status) {
    case 'queued':
    case 'sending':
    case 'accepted':
    case 'delivered':
      return null;
    case 'unknown':
      return 'unconfirmed';
    case 'skipped':
    case 'waiting':
    case 'failed':
      return line.reason === null ? null : line.reason_code;
    default:
      return line.status satisfies never;
  }
}

/** What a code says of a person; null where the ledger's own sentence does. */
export function sentenceOf(problem: ReasonCode, params: ReasonParams | null): string | null {
  const name = problem === 'missing_value' ? missingNameIn(params) : null;
  if (name !== null) return `There is no value for {{${name}}}.`;
  const lacking = problem === 'no_address' ? addressLackingIn(params) : null;
  if (lacking !== null) return `There is ${addressLackingWords[lacking]}.`;
  if (problem === 'suppressed' && isUnreachedIn(params)) return 'Cannot be reached: on the suppression list.';
  if (problem === 'no_consent' && isUnreachedIn(params)) return 'Cannot be reached: no consent is on record.';
  const until = problem === 'person_paused' ? pauseEndIn(params) : null;
  return until === null ? sentences[problem] : `${pausedText(until)}.`;
}

/** The sentence for each problem; null where the ledger's own sentence explains it. */
const sentences: Record<ReasonCode, string | null> = {
  waiting_for_sending_hours: null,
  waiting_for_quiet_hours: null,
  waiting_for_cap: null,
  waiting_for_rate_limit: null,
  destination_busy: null,
  circuit_open: null,
  server_stopped: null,
  server_exhausted: null,
  suppressed: 'This person is on the suppression list.',
  no_consent: 'No consent to this channel is on record.',
  paused_by_recipient: 'This person has paused optional messages.',
  left_topics: 'This person has left all optional messages.',
  left_topic: 'This person has left the topic of this message.',
  person_skipped: `${skippedText}.`,
  person_paused: 'Reminders to this person were paused.',
  cancelled: null,
  event_cancelled: null,
  event_names_nobody: null,
  reminder_edited: null,
  reminder_paused: null,
  reminder_inactive: null,
  reminder_deleted: null,
  all_reminders_paused: null,
  workspace_deleted: null,
  workspace_suspended: null,
  missed: null,
  expired: null,
  outside_sending_hours: 'The next occurrence came before the sending hours began.',
  hours_never_meet: 'The hours in which this person wants messages never meet the sending hours.',
  over_cap: 'This address had had as many messages as the frequency cap allows.',
  over_plan: null,
  over_demo_limit: null,
  demo_spent: null,
  channel_not_in_plan: null,
  channel_disabled: 'No working channel to send this over.',
  no_device: null,
  unfit_address: null,
  no_address: 'There is no address for these channels.',
  no_longer_in_audience: 'This person no longer belonged to the recipients.',
  empty_audience: null,
  audience_too_large: null,
  sent_over_another_channel: null,
  unreadable_job: null,
  missing_value: 'A value in the message is missing.',
  not_rendered: 'The message could not be filled in.',
  no_channel: 'No working channel to send this over.',
  adapter_failed: 'Something went wrong on this server while it was sent.',
  unconfirmed: 'It may have arrived: nobody confirmed it.',
  worker_lost: 'It may have arrived: nobody confirmed it.',
  unreachable: 'The server could not be reached.',
  no_such_address: 'This address does not exist.',
  no_such_number: 'This number cannot receive messages.',
  not_on_whatsapp: 'This number is not on WhatsApp.',
  mailbox_full: 'The mailbox is full.',
  too_large: 'The message is too large.',
  unwanted: 'The other side blocked the message as unwanted.',
  opted_out: 'This person does not want messages.',
  recipient_unreachable: 'The phone could not be reached.',
  reply_window: 'WhatsApp allows only approved templates 24 hours after the last reply.',
  channel_login: 'The provider did not accept the login of the channel.',
  temporarily_refused: 'The other side was too busy to take the message.',
  no_such_url: 'There is nothing at this URL.',
  receiver_login: 'The receiver did not allow access.',
  receiver_error: 'The receiver answered with an error.',
  provider_error: 'The provider had a fault.',
  refused: 'The message was refused.',
};
