import { expect, it } from 'vitest';
import { moved, toggled } from './channel-order.ts';

it('a channel is moved past its neighbour, over those that follow no other', () => {
  expect(moved(['email', 'slack', 'sms'], { channel: 'sms', by: -1 })).toEqual(['sms', 'slack', 'email']);
  expect(moved(['email', 'sms'], { channel: 'email', by: -1 })).toEqual(['email', 'sms']);
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
