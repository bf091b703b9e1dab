import { expect, it } from 'vitest';
import { moved, toggled } from './channel-order.ts';

it('a channel is moved past its neighbour, over those that follow no other', () => {
  expect(moved(['email', 'slack', 'sms'], { channel: 'sms', by: -1 })).toEqual(['sms', 'slack', 'email']);
  expect(moved(['email', 'sms'], { channel: 'email', by: -1 })).toEqual(['email', 'sms']);
});

it('a channel is added where it usually stands, and at the end where the order counts', () => {
  const usual = ['email', 'sms', 'whatsapp'] as const;
  const add = (isInOrder: boolean) => toggled(['whatsapp', 'sms'], { channel: 'email', usual, isInOrder });
  expect([add(false), add(true)]).toEqual([
    ['email', 'sms', 'whatsapp'],
    ['whatsapp', 'sms', 'email'],
  ]);
  expect(toggled(['whatsapp', 'sms'], { channel: 'whatsapp', usual, isInOrder: true })).toEqual(['sms']);
});
