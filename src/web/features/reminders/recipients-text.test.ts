import { expect, it } from 'vitest';
import { recipientsText } from './recipients-text.ts';

const groups = [{ id: 'elm', name: 'Tenants of 12 Elm' }];
const counted = (people: number, ...names: string[]) => ({ people, contacts: names.map((name) => ({ name })) });

it.each([
  [0, { everyone: true }, counted(1_200), 'Everyone · 1,200 in its audience'],
  [0, { groups: ['elm'] }, counted(1), 'Tenants of 12 Elm · 1 in its audience'],
  [2, { groups: ['elm'], tags: ['vip'] }, counted(188), 'Tenants of 12 Elm, vip · 188 in its audience + 2 recipients'],
  [0, { contacts: ['b'] }, counted(1, 'Anna'), 'Anna · 1 in its audience'],
  [1, { contacts: ['b', 'c'] }, undefined, '2 contacts + 1 recipient'],
  [0, { groups: ['gone'] }, counted(0), 'a deleted group · reaches nobody now'],
  [2, { tags: ['vip'] }, counted(0), 'vip · 0 in its audience + 2 recipients'],
  [0, { tags: ['vip', 'tenant', 'a', 'b'] }, counted(4), 'vip, tenant, 2 more · 4 in its audience'],
])('%i recipients and the audience %j of %j read as %s', (listed, audience, people, text) => {
  expect(recipientsText(listed, { audience, groups, counted: people, channels: ['email'] })).toBe(text);
});

it('names whom the event names first', () => {
  expect(recipientsText(0, { isForEvent: true, channels: ['email'] })).toBe('Whom the event names');
  const known = {
    audience: { tags: ['vip'] },
    groups,
    counted: counted(4),
    isForEvent: true,
    channels: ['email'] as const,
  };
  expect(recipientsText(1, known)).toBe('Whom the event names + vip · 4 in its audience + 1 recipient');
});

it('says that an empty audience reaches nobody only where nobody else gets it', () => {
  const empty = { audience: { tags: ['vip'] }, groups, counted: counted(0) };
  expect(recipientsText(0, { ...empty, channels: ['email'] })).toBe('vip · reaches nobody now');
  expect(recipientsText(0, { ...empty, channels: ['email', 'slack'] })).toBe('vip · 0 in its audience');
  expect(recipientsText(0, { ...empty, channels: ['email'], isForEvent: true })).toBe(
    'Whom the event names + vip · 0 in its audience',
  );
});

it('names no group before the groups are loaded', () => {
  const known = { audience: { groups: ['elm'] }, groups: undefined, counted: undefined, channels: ['email'] as const };
  expect(recipientsText(0, known)).toBe('a group');
});

it('names the destination of channels that are sent to nobody by name', () => {
  expect(recipientsText(0, { channels: ['slack'] })).toBe('Slack channel');
  expect(recipientsText(0, { channels: ['slack', 'push'] })).toBe('Slack channel + Subscribed members');
  expect(recipientsText(1, { channels: ['slack', 'email'] })).toBe('1 recipient');
});
