import { describe, expect, it } from 'vitest';
import type { ReasonCode } from '#contract/reason-codes.ts';
import * as made from '#domain/ledger-reasons.ts';
import { reasonOf, reasonOfStop } from '#domain/uncoded-reasons.ts';

const refused: made.Reason = { code: 'receiver_error', reason: 'HTTP 503' };
const waiting = made.destinationIsBusy;

/** What each maker makes. A new one has to be added here: the list of its exports is compared. */
const samples: Partial<Record<keyof typeof made, made.Reason[]>> = {
  waitsForHours: [made.waitsForHours('Monday at 9:00')],
  waitsForRateLimit: [made.waitsForRateLimit(1), made.waitsForRateLimit(5)],
  destinationIsBusy: [made.destinationIsBusy],
  circuitIsOpen: [made.circuitIsOpen({ failures: 5, last: 'HTTP 404' })],
  serverWasStopped: [made.serverWasStopped],
  onSuppressionList: [made.onSuppressionList],
  cancelledByMember: [made.cancelledByMember],
  jobWasCancelled: [made.jobWasCancelled],
  eventWasCancelled: [made.eventWasCancelled],
  leftItsCalendar: [made.leftItsCalendar],
  eventNamesNobody: [made.eventNamesNobody],
  awaitsOtherEvent: [made.awaitsOtherEvent],
  reminderWasEdited: [made.reminderWasEdited],
  editedAfterBegin: [made.editedAfterBegin],
  reminderWasPaused: [made.reminderWasPaused],
  pausedUntil: [made.pausedUntil('2 March')],
  passedWhilePaused: [made.passedWhilePaused],
  reminderIs: [made.reminderIs('paused'), made.reminderIs('draft')],
  reminderWasDeleted: [made.reminderWasDeleted],
  allWerePaused: [made.allWerePaused],
  allPausedUntil: [made.allPausedUntil('2 March')],
  workspaceWasDeleted: [made.workspaceWasDeleted],
  workspaceWasSuspended: [made.workspaceWasSuspended],
  wasMissed: [made.wasMissed('2026-03-02T09:00:00Z')],
  hasExpired: [made.hasExpired],
  outsideOfHours: [made.outsideOfHours('Monday at 9:00')],
  planUsedUp: [made.planUsedUp('Free', 100)],
  beyondPlan: [made.beyondPlan('Basic')],
  channelNotInPlan: [made.channelNotInPlan('Free', 'sms')],
  channelIsDisabled: [made.channelIsDisabled('sms')],
  unfitAddress: [made.unfitAddress('A phone number fits none of the chosen channels (email)')],
  lacksAddress: [
    'has no e-mail address',
    'has no phone number',
    'has neither an e-mail address nor a phone number',
    'is not sent to: the webhook calls the URLs of the list only',
  ].map((lack) => made.lacksAddress('Ann has', lack)),
  noLongerRecipient: [made.noLongerRecipient],
  emptyAudience: [made.emptyAudience],
  noRecipients: [made.noRecipients],
  audienceTooLarge: [made.audienceTooLarge(10_000)],
  acceptedOver: [made.acceptedOver('sms')],
  mayHaveArrivedOver: [made.mayHaveArrivedOver('email')],
  jobIsUnreadable: [made.jobIsUnreadable('no time')],
  messageIsUnreadable: [made.messageIsUnreadable],
  variableIsMissing: [made.variableIsMissing('unit')],
  cannotBeRendered: [made.cannotBeRendered('too long')],
  wasNotRendered: [made.wasNotRendered('too busy')],
  noActiveChannel: [made.noActiveChannel('sms')],
  unusableDefault: [made.unusableDefault('email', 'no host')],
  unknownProvider: [made.unknownProvider('sms')],
  unusableChannel: [made.unusableChannel('no host')],
  adapterFailed: [made.adapterFailed('web_push', 'no key')],
  workerWasLost: [made.workerWasLost],
  gaveUp: [made.gaveUp(refused, 8), made.gaveUp(made.noAnswer, 8)],
  expiredBeforeRetry: [made.expiredBeforeRetry(refused), made.expiredBeforeRetry(waiting)],
  triedEnough: [made.triedEnough(refused)],
  continuesOver: [made.continuesOver(refused, 'sms'), made.continuesOver(made.expiredBeforeRetry(waiting), 'sms')],
  expiredWaiting: [true, false].map((hasFallback) => made.expiredWaiting(waiting, { hasFallback })),
  noAnswer: [made.noAnswer],
};

/** They make no reason, or the SQL of one. */
const others = [
  'isExpectedWait',
  'isWait',
  'workspaceIsClosed',
  'missedWhilePausedSql',
  'missedWhilePausedCode',
  'willBeTriedAgain',
  'workerStopped',
  'anotherRunContinues',
  'variableIn',
];

describe('a sentence of a version without codes', () => {
  const codeOf = (reason: string) => reasonOf({ channel: 'webhook', reason, reason_code: null })?.code;

  it.each(Object.keys(made).filter((name) => !others.includes(name)))(
    'has the code that is made with it: %s',
    (name) => {
      const reasons = Object.entries(samples).find(([of]) => of === name)?.[1] ?? [];
      expect(reasons).not.toEqual([]);
      expect(reasons.map(({ reason }) => [reason, codeOf(reason)])).toEqual(
        reasons.map(({ reason, code }) => [reason, code]),
      );
    },
  );

  it.each<[string, ReasonCode]>([
    ['Nobody in this workspace has turned on push notifications', 'no_device'],
    ['The sender of this test has not turned on push notifications in any browser', 'no_device'],
    ['Every browser of this workspace has turned push notifications off', 'no_device'],
    ['“12” is not a phone number with its country code, such as +491701234567', 'unfit_address'],
    ['“ann” is not an e-mail address', 'no_such_address'],
    ['This webhook channel has no URL', 'no_channel'],
    ['Configuration incomplete: Twilio needs a number to send from', 'no_channel'],
    ['The message has 1601 characters; Twilio takes 1600', 'too_large'],
    ['The message takes 10 segments; MessageBird sends 9', 'too_large'],
    ['HTTP 404: nothing here', 'no_such_url'],
  ])('of an adapter has its code: %s', (reason, code) => {
    expect(codeOf(reason)).toBe(code);
  });

  it('that stopped a job has its code, and is a cancellation where nothing else is known', () => {
    const of = (reason: string, code: ReasonCode | null = null) => reasonOfStop({ code, reason });
    expect([of(made.reminderWasEdited.reason), of(made.workspaceWasDeleted.reason)]).toEqual([
      made.reminderWasEdited,
      made.workspaceWasDeleted,
    ]);
    expect(of('HTTP 404').code).toBe('cancelled');
    expect(of('HTTP 404', 'missed').code).toBe('missed');
  });
});
