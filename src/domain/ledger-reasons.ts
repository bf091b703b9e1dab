import type { ChannelType } from '#contract/channel-types.ts';
import { demoLimits } from '#contract/demo-limits.ts';
import type { ReasonCode } from '#contract/reason-codes.ts';
import type { ReasonParams } from '#contract/reason-params.ts';
import { pausedText, skippedText } from '#domain/exclusion-words.ts';
import { channelNames } from '#domain/phrase/channels.ts';
import { capitalized } from '#domain/in-words.ts';
import type { AddressLacking } from '#domain/reason-values.ts';

/**
 * Why a delivery has its status: a code for programs and a sentence for people. Both are made here, so that they belong together. `params` are what the code
 * is about, for codes that have any.
 */
export type Reason = { code: ReasonCode; reason: string; params?: ReasonParams };

const because =
  <Values extends unknown[]>(code: ReasonCode, words: (...values: Values) => string) =>
  (...values: Values): Reason => ({ code, reason: words(...values) });

/** The reason of a ledger row; null when it has none. A row from before codes has a sentence alone. */
export const reasonOf = ({ reason, reason_code: code, reason_params: params }: ReasonColumns): Reason | null =>
  reason === null ? null : { code: code ?? 'refused', reason, ...(params && { params }) };

type ReasonColumns = { reason: string | null; reason_code: ReasonCode | null; reason_params?: ReasonParams | null };

/** Why a job was stopped or cancelled. */
export const reasonOfStop = ({ code, reason }: { code: ReasonCode | null; reason: string }): Reason => ({
  code: code ?? jobWasCancelled.code,
  reason,
});

/** Whether something was not sent because of the plan, so that another one would help. */
export const isPlanRefusal = (code: string | null): boolean => code !== null && planCodes.has(code);

const planCodes: ReadonlySet<string> = new Set(['over_plan', 'channel_not_in_plan']);

// It waits, and nothing has failed.

export const waitsForHours = because(
  'waiting_for_sending_hours',
  (opening: string) => `Waits for sending hours: ${opening}`,
);
export const waitsForQuietHours = because(
  'waiting_for_quiet_hours',
  (opening: string) => `Waits until the recipient wants messages: ${opening}`,
);
/** @param cap such as `at most 2 messages a day` */
export const waitsForCap = because(
  'waiting_for_cap',
  (cap: string, when: string) => `Waits for ${when}: one address gets ${cap}`,
);
export const waitsForRateLimit = because(
  'waiting_for_rate_limit',
  (ratePerSecond: number) =>
    `Waits for the rate limit: the channel sends ${ratePerSecond} ${ratePerSecond === 1 ? 'message' : 'messages'} per second`,
);
export const destinationIsBusy: Reason = {
  code: 'destination_busy',
  reason: 'The destination is busy with earlier messages',
};
export const circuitIsOpen = because(
  'circuit_open',
  ({ failures, last }: { failures: number; last: string }) =>
    `Not tried: the last ${failures} attempts to reach the destination failed (${last})`,
);
/** The process that was to send it stopped before it did. */
export const serverWasStopped: Reason = { code: 'server_stopped', reason: 'The server was stopped' };

/** The machine that was to send it had no means to. */
export const serverIsExhausted = because('server_exhausted', (cause: string) => `Not tried: ${cause}`);

/** Whether the delivery waits as planned, and not because something failed. */
export const isExpectedWait = (code: ReasonCode): boolean =>
  isDeferredByRule(code) || code === 'waiting_for_rate_limit';

/** Whether the delivery has not begun because of a rule for its time: the claim that lets it begin counts it. */
export const isDeferredByRule = (code: ReasonCode | null): boolean =>
  code === 'waiting_for_sending_hours' || code === 'waiting_for_quiet_hours' || code === 'waiting_for_cap';

const waits: ReadonlySet<ReasonCode> = new Set([
  'waiting_for_sending_hours',
  'waiting_for_quiet_hours',
  'waiting_for_cap',
  'waiting_for_rate_limit',
  'destination_busy',
  'circuit_open',
  'server_stopped',
  'server_exhausted',
]);

/** Whether the code says why there was no attempt yet: such a delivery expires when its time is over. */
export const isWait = (code: ReasonCode): boolean => waits.has(code);

// It is not sent, on purpose.

/** Why nothing is sent to a recipient who is on the workspace's list. */
export const onSuppressionList: Reason = { code: 'suppressed', reason: 'The recipient is on the suppression list' };
/** The same, for a message that nobody can leave: no other channel is left. */
export const cannotBeReached: Reason = {
  code: onSuppressionList.code,
  reason: 'Cannot be reached: the recipient is on the suppression list',
  params: { required: true },
};
const consentTo = (channel: ChannelType) => `no consent to ${channelNames[channel]} is on record`;
/** The workspace requires a consent for the channel, and none counts. */
export const noConsent = because('no_consent', (channel: ChannelType) => capitalized(consentTo(channel)));
/** The same, for a message that nobody can leave: no other channel is left. */
export const notReachedWithoutConsent = (channel: ChannelType): Reason => ({
  code: 'no_consent',
  reason: `Cannot be reached: ${consentTo(channel)}`,
  params: { required: true },
});
export const pausedByRecipient: Reason = {
  code: 'paused_by_recipient',
  reason: 'The recipient has paused optional messages',
};
export const leftAllTopics: Reason = { code: 'left_topics', reason: 'The recipient has left all optional messages' };
export const leftThisTopic: Reason = { code: 'left_topic', reason: 'The recipient has left this topic' };
/** Why nothing of one run is sent to a person. */
export const skippedForPerson: Reason = { code: 'person_skipped', reason: skippedText };
/** @param until the day on which the pause ends, such as `2026-12-01` */
export const personPausedUntil = (until: string): Reason => ({
  code: 'person_paused',
  reason: pausedText(until),
  params: { until },
});
export const cancelledByMember: Reason = { code: 'cancelled', reason: 'Cancelled by a member of the workspace' };
export const jobWasCancelled: Reason = { code: 'cancelled', reason: 'The job was cancelled' };
export const eventWasCancelled: Reason = { code: 'event_cancelled', reason: 'The event was cancelled' };
export const leftItsCalendar: Reason = {
  code: 'event_cancelled',
  reason: 'Its calendar no longer has this event at this time',
};
export const eventNamesNobody: Reason = {
  code: 'event_names_nobody',
  reason: 'The event names nobody to whom this reminder could be sent',
};
export const awaitsOtherEvent: Reason = {
  code: 'reminder_edited',
  reason: 'The reminder no longer waits for this event',
};
export const reminderWasEdited: Reason = { code: 'reminder_edited', reason: 'The reminder was edited' };
export const editedAfterBegin: Reason = {
  code: 'reminder_edited',
  reason: 'The reminder was edited after this run began',
};
export const reminderWasPaused: Reason = { code: 'reminder_paused', reason: 'The reminder was paused' };
export const pausedUntil = because('reminder_paused', (end: string) => `The reminder was paused until ${end}`);
export const passedWhilePaused: Reason = {
  code: 'reminder_paused',
  reason: 'Its time passed while the reminder was paused',
};
export const reminderIs = (status: string): Reason => ({
  code: status === 'paused' ? 'reminder_paused' : 'reminder_inactive',
  reason: `The reminder is ${status}`,
});
export const reminderWasDeleted: Reason = { code: 'reminder_deleted', reason: 'The reminder was deleted' };
export const allWerePaused: Reason = { code: 'all_reminders_paused', reason: 'All reminders were paused' };
export const allPausedUntil = because(
  'all_reminders_paused',
  (end: string) => `All reminders were paused until ${end}`,
);
/** An owner deleted the workspace while a run of it had recipients left. */
export const workspaceWasDeleted = {
  code: 'workspace_deleted',
  reason: 'The workspace was deleted',
} as const satisfies Reason;
/** An administrator of the installation suspended it while a run of it had recipients left. */
export const workspaceWasSuspended = {
  code: 'workspace_suspended',
  reason: 'The workspace was suspended',
} as const satisfies Reason;
/** Why a workspace sends nothing, by the code that the database returns. */
export const workspaceIsClosed = {
  workspace_deleted: workspaceWasDeleted,
  workspace_suspended: workspaceWasSuspended,
} as const;
export const wasMissed = because(
  'missed',
  (due: string) => `Missed: it was due at ${due} and could not be sent in time`,
);
/** @param due SQL of the instant; the result is SQL too */
export const missedWhilePausedSql = (due: string) =>
  `'Missed: it was due at ' || ${due} || ', while deliveries were paused'`;
export const missedWhilePausedCode: ReasonCode = 'missed';
export const hasExpired: Reason = { code: 'expired', reason: 'Expired before it could be sent' };
export const outsideOfHours = because(
  'outside_sending_hours',
  (opening: string) => `Outside of sending hours: the next occurrence comes before they begin (${opening})`,
);
/** Of an optional message: a required one is sent in the workspace's hours. */
export const hoursNeverMeet: Reason = {
  code: 'hours_never_meet',
  reason: 'The hours in which the recipient wants messages and the sending hours never meet',
};
export const isOverCap = because('over_cap', (cap: string, why: 'overtaken' | 'out_of_date') =>
  why === 'overtaken'
    ? `One address gets ${cap}, and the next occurrence comes before there is room again`
    : `One address gets ${cap}, and this message would come too late on another day`,
);
export const planUsedUp = because(
  'over_plan',
  (plan: string, occurrences: number) => `The ${plan} plan's ${occurrences} reminders of this month are used up`,
);
export const beyondPlan = because(
  'over_plan',
  (plan: string) => `The ${plan} plan includes one workspace, and its owner has another`,
);
export const demoSendsLess = because(
  'over_demo_limit',
  (most: number) => `A demo sends ${most} messages at a time at most. Sign up to send more.`,
);
export const demoWaits = because(
  'over_demo_limit',
  (most: number) => `A demo sends ${most} messages an hour at most. Sign up to send more.`,
);
export const demoIsSpent = {
  code: 'demo_spent',
  reason: `This demo has sent the ${demoLimits.messages.toLocaleString('en')} messages that a demo may send. Sign up to go on.`,
} as const satisfies Reason;
export const channelNotInPlan = because(
  'channel_not_in_plan',
  (plan: string, channel: ChannelType) => `The ${plan} plan does not include ${channel}`,
);
export const channelIsDisabled = because('channel_disabled', (type: ChannelType) => `The ${type} channel is disabled`);
export const unfitAddress = because('unfit_address', (words: string) => words);
export const lacksAddress = (name: string, lacks: AddressLacking): Reason => ({
  code: 'no_address',
  reason: `${name} ${lackSentences[lacks]}`,
  params: { lacks },
});
const lackSentences: Record<AddressLacking, string> = {
  email: 'has no email address',
  phone: 'has no phone number',
  either: 'has neither an email address nor a phone number',
};
export const isForUrlsOnly = because(
  'no_address',
  (name: string) => `${name} is not sent to: the webhook calls the URLs of the list only`,
);
export const noLongerRecipient: Reason = { code: 'no_longer_in_audience', reason: 'No longer among the recipients' };
export const emptyAudience: Reason = { code: 'empty_audience', reason: 'Nobody belongs to the audience' };
export const noRecipients: Reason = { code: 'empty_audience', reason: 'There were no recipients' };
export const audienceTooLarge = because(
  'audience_too_large',
  (most: number) => `The audience has more than ${most.toLocaleString('en')} people, the most of one occurrence`,
);
export const acceptedOver = because(
  'sent_over_another_channel',
  (channel: ChannelType) => `It was accepted over ${channel}`,
);
export const mayHaveArrivedOver = because(
  'sent_over_another_channel',
  (channel: ChannelType) => `It may have arrived over ${channel}`,
);
/** Whether nothing was sent because another channel had the message. */
export const isAboutAnotherChannel = (code: ReasonCode): boolean => code === 'sent_over_another_channel';
/** Whether the code says of a skipped row nothing about its person, who may have got the message at another address. */
export const isAddressUnused = (code: ReasonCode): boolean =>
  code === noLongerRecipient.code || isAboutAnotherChannel(code);
export const jobIsUnreadable = because('unreadable_job', (cause: string) => `This job cannot be read: ${cause}`);
export const messageIsUnreadable: Reason = {
  code: 'unreadable_job',
  reason: 'The message of this job cannot be read',
};

// It cannot be sent from here.

export const variableIsMissing = (name: string): Reason => ({
  code: 'missing_value',
  reason: `no value for {{${name}}}`,
  params: { name },
});

/** Whether the cause is in the message, so that it would be the same over every channel. */
export const isOfMessage = (code: ReasonCode): boolean => code === 'missing_value';
export const cannotBeRendered = because('not_rendered', (cause: string) => `The message cannot be rendered: ${cause}`);
/** The renderer itself failed, which is no fault of the message. */
export const wasNotRendered = because('not_rendered', (cause: string) => `The message was not rendered: ${cause}`);
export const noActiveChannel = because(
  'no_channel',
  (type: ChannelType) => `The workspace has no active channel of type ${type}`,
);
export const unusableDefault = because(
  'no_channel',
  (type: ChannelType, cause: string) => `The installation's own configuration for ${type} cannot be used: ${cause}`,
);
export const unknownProvider = because(
  'no_channel',
  (type: ChannelType) => `This version cannot send through the channel's provider (${type})`,
);
export const unusableChannel = because(
  'no_channel',
  (cause: string) => `The channel's configuration cannot be used: ${cause}`,
);
export const adapterFailed = because(
  'adapter_failed',
  (provider: string, cause: string) => `The ${provider} adapter failed: ${cause}`,
);

// It may have arrived.

/** The process that was sending it ended without an outcome. */
export const workerWasLost: Reason = {
  code: 'worker_lost',
  reason: 'The server stopped, and the message may have been sent',
};

// How attempts end, after the reason of the last one: the code stays that of the cause.

export const gaveUp = (cause: Reason, attempts: number): Reason => ({
  ...cause,
  reason: `${cause.reason} (gave up after ${attempts} attempts)`,
});
export const expiredBeforeRetry = (cause: Reason): Reason => ({
  code: isWait(cause.code) ? 'expired' : cause.code,
  reason: `${cause.reason} (expired before the next attempt)`,
});
export const triedEnough = (cause: Reason): Reason => ({
  ...cause,
  reason: `${cause.reason} (its time limit has passed)`,
});
export const continuesOver = (cause: Reason, next: ChannelType): Reason => ({
  ...cause,
  reason: `${cause.reason}; continues over ${next}`,
  params: cause.params ?? { next },
});
/** The delivery expired while it waited, which replaces the reason of the wait. */
export const expiredWaiting = ({ reason }: Reason, { hasFallback }: { hasFallback: boolean }): Reason => ({
  code: 'expired',
  reason: `${reason} (${hasFallback ? 'its time limit has passed' : 'expired before it could be tried'})`,
});
export const noAnswer: Reason = { code: 'unconfirmed', reason: 'No answer' };

// The error message of a job, about its deliveries.

/** The message of a job that will be retried. */
export const willBeTriedAgain = (cause: Reason | null): string =>
  cause !== null && isExpectedWait(cause.code)
    ? cause.reason
    : `Will be tried again: ${cause?.reason ?? 'no reason given'}`;
/** The message of a job that goes on because a provider has reported a failure. */
export const failedLate = 'A message was reported as failed: the next channel is tried';
export const workerStopped = 'The worker stopped during this run';
export const anotherRunContinues = `${workerStopped}; another run continues it`;
