import { expect, it } from 'vitest';
import { moved, noTakeOverText, toggled } from './channel-order.ts';

it('a channel is moved past its neighbour, over those that follow no other', () => {
  expect(moved(['email', 'slack', 'sms'], { channel: 'sms', by: -1, ordered: ['email', 'sms'] })).toEqual([
    'sms',
    'slack',
    'email',
  ]);
  expect(moved(['email', 'sms'], { channel: 'email', by: -1, ordered: ['email', 'sms'] })).toEqual(['email', 'sms']);
});

it('an added channel gets its usual position, or the last one when the order matters', () => {
  const usual = ['email', 'sms', 'whatsapp'] as const;
  const add = (isInOrder: boolean) => toggled(['whatsapp', 'sms'], { channel: 'email', usual, isInOrder });
  expect([add(false), add(true)]).toEqual([
    ['email', 'sms', 'whatsapp'],
    ['whatsapp', 'sms', 'email'],
  ]);
  expect(toggled(['whatsapp', 'sms'], { channel: 'whatsapp', usual, isInOrder: true })).toEqual(['sms']);
});

it('a channel with recipients of its own is named, because none takes over from it', () => {
  expect(noTakeOverText(['webhook', 'sms'], { ordered: ['sms'], isInOrder: false })).toBe(
    'Webhook sends at once, whatever becomes of the others, and none takes over from it: the webhook calls only the URLs in the list.',
  );
  expect(noTakeOverText(['email', 'sms', 'slack', 'push'], { ordered: ['email', 'sms'], isInOrder: true })).toBe(
    'Slack and Push send at once, whatever becomes of the others, and none takes over from them: Slack posts to its own channel and push goes to subscribed members.',
  );
  expect(noTakeOverText(['email', 'sms', 'slack'], { ordered: ['email', 'sms'], isInOrder: false })).toBeNull();
  expect(noTakeOverText(['slack'], { ordered: [], isInOrder: false })).toBeNull();
});
