import { describe, expect, it } from 'vitest';
import type { DeliveryStatus } from '#contract/deliveries.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import { explain } from '#domain/delivery-problems.ts';
import { reasonCodes } from '#contract/reason-codes.ts';
import { codeOfAnswer } from '#domain/answer-codes.ts';
import {
  cannotBeReached,
  adapterFailed,
  cancelledByMember,
  continuesOver,
  cannotBeRendered,
  destinationIsBusy,
  expiredWaiting,
  gaveUp,
  noActiveChannel,
  onSuppressionList,
  type Reason,
  serverWasStopped,
  unfitAddress,
  variableIsMissing,
  waitsForHours,
  workerWasLost,
} from '#domain/ledger-reasons.ts';

type Case = [ChannelType, reason: string | Reason, sentence: string, answer?: string];

/** The words of another side get their code from it, as when an outcome is settled. */
const coded = (channel: ChannelType, words: string | Reason, answer: string | null): Reason =>
  typeof words === 'string' ? { code: codeOfAnswer(channel, { reason: words, answer }), reason: words } : words;

function failed([channel, words, , said]: Case) {
  const answer = said ?? null;
  const { code, reason, params = null } = coded(channel, words, answer);
  return explain({
    channel,
    status: 'failed',
    reason,
    reason_code: code,
    reason_params: params,
    provider_answer: answer,
  });
}

describe('a failed delivery is explained in a plain sentence', () => {
  const cases: Case[] = [
    ['email', '550 5.1.1 <bob@example.com>: Recipient address rejected: User unknown', 'This address does not exist.'],
    ['email', 'Bounced: 550 no such user here', 'This address does not exist.'],
    ['email', 'Bounced: 554 5.4.4 Host not found', 'This address does not exist.'],
    ['email', '452 4.2.2 The mailbox is full', 'The mailbox is full.'],
    ['email', '552 5.3.4 Message size exceeds fixed limit', 'The message is too large.'],
    ['email', '550 5.7.1 Blocked by policy', 'The other side blocked the message as unwanted.'],
    ['email', '535 5.7.8 Authentication failed', 'The provider did not accept the login of the channel.'],
    ['email', '451 4.7.1 Greylisted, try again later', 'The other side was too busy to take the message.'],
    ['email', '554 Transaction failed', 'The message was refused.'],
    ['email', gaveUp(workerWasLost, 2), 'It may have arrived: nobody confirmed it.'],
    ['sms', adapterFailed('twilio', 'out of memory'), 'Something went wrong on this server while it was sent.'],
    [
      'email',
      { code: 'unreachable', reason: 'Not sent: the server did not answer in time' },
      'The server could not be reached.',
    ],
    ['sms', 'Twilio 21211: Invalid To number', 'This number cannot receive messages.'],
    ['sms', 'Twilio 21610: the recipient has unsubscribed', 'This person does not want messages.'],
    ['sms', 'Twilio 30003: the handset is unreachable', 'The phone could not be reached.'],
    ['sms', 'Vonage 14: blocked by the carrier', 'The other side blocked the message as unwanted.'],
    ['sms', 'MessageBird 2: Request not allowed', 'The message was refused.'],
    ['whatsapp', 'WhatsApp 131026: Message undeliverable', 'This number is not on WhatsApp.'],
    [
      'whatsapp',
      'Twilio 63016: outside of the 24 hours',
      'WhatsApp allows only approved templates 24 hours after the last reply.',
    ],
    ['whatsapp', 'WAHA API error: 401 - no', 'The provider did not accept the login of the channel.'],
    ['webhook', 'HTTP 404', 'There is nothing at this URL.'],
    ['webhook', 'HTTP 403', 'The receiver did not allow access.'],
    ['webhook', 'HTTP 503 (gave up after 2 attempts)', 'The receiver answered with an error.', 'HTTP 503: maintenance'],
    ['webhook', 'HTTP 429', 'The other side was too busy to take the message.'],
    ['slack', 'Slack 500: rollup_error', 'The provider had a fault.'],
    ['push', 'Push service: HTTP 401: expired', 'The provider did not accept the login of the channel.'],
    ['email', variableIsMissing('amount'), 'There is no value for {{amount}}.'],
    ['email', continuesOver(variableIsMissing('stra_e'), 'sms'), 'There is no value for {{stra_e}}.'],
    ['email', { code: 'missing_value', reason: 'no value for {{amount}}' }, 'A value in the message is missing.'],
    ['email', cannotBeRendered('it is too long'), 'The message could not be filled in.'],
    ['sms', noActiveChannel('sms'), 'No working channel to send this over.'],
  ];

  it.each(cases)('over %s: %j is “%s”', (...of) => {
    expect(failed(of)?.sentence).toBe(of[2]);
  });

  it('with the words of the provider as details, each once', () => {
    expect(failed(['webhook', 'HTTP 503 (gave up)', '', 'HTTP 503: busy'])?.details).toEqual([
      'HTTP 503 (gave up)',
      'HTTP 503: busy',
    ]);
    expect(failed(['webhook', 'HTTP 503', '', 'HTTP 503: busy'])?.details).toEqual(['HTTP 503: busy']);
  });

  it('which says so while the next attempt waits', () => {
    const waiting = explain({
      channel: 'email',
      status: 'waiting',
      reason: '452 4.2.2 full',
      reason_code: 'mailbox_full',
      reason_params: null,
      provider_answer: null,
    });
    expect(waiting).toMatchObject({
      problem: 'mailbox_full',
      sentence: 'The mailbox is full. It will be tried again.',
    });
  });
});

describe('no explanation replaces', () => {
  const of = (status: DeliveryStatus, said: Reason | { code: null; reason: string }) => {
    const { code, reason } = said;
    const params = 'params' in said ? (said.params ?? null) : null;
    return explain({
      channel: 'email',
      status,
      reason,
      reason_code: code,
      reason_params: params,
      provider_answer: null,
    });
  };

  it('a delivery that went well, or has not been tried', () => {
    for (const status of ['queued', 'sending', 'accepted', 'delivered'] as const)
      expect(of(status, { code: 'refused', reason: 'anything' })).toBeNull();
  });

  const own: [DeliveryStatus, Reason][] = [
    ['waiting', waitsForHours('09:00 in Europe/Berlin')],
    ['waiting', serverWasStopped],
    ['failed', expiredWaiting(destinationIsBusy, { hasFallback: false })],
    ['skipped', unfitAddress('A phone number fits none of the chosen channels (email)')],
    ['skipped', cancelledByMember],
  ];

  it.each(own)('the product’s own words, nor a sentence without a code: %s, %j', (status, { code, reason }) => {
    expect(of(status, { code, reason })).toBeNull();
    expect(of(status, { code: null, reason })).toBeNull();
  });

  const ofTheList: readonly string[] = ['suppressed', 'left_topics', 'left_topic', 'paused_by_recipient'];
  it.each(reasonCodes)(
    'a delivery that was skipped, for the code %s, but one that its recipient does not want',
    (code) => {
      expect(of('skipped', { code, reason: 'Why' })?.problem ?? null).toBe(ofTheList.includes(code) ? code : null);
    },
  );

  it('but one does for the suppression list and for an outcome that nobody knows', () => {
    expect(of('skipped', onSuppressionList)?.problem).toBe('suppressed');
    expect(of('skipped', continuesOver(onSuppressionList, 'sms'))?.sentence).toBe(
      'This person is on the suppression list. The message continues over sms.',
    );
    expect(of('skipped', cannotBeReached)?.sentence).toBe('Cannot be reached: on the suppression list.');
    expect(of('unknown', { code: 'unconfirmed', reason: 'Sent, but not confirmed: ECONNRESET' })?.problem).toBe(
      'unconfirmed',
    );
  });
});
