import { expect, it } from 'vitest';
import { strengthOf } from '#web/features/auth/password/strength.ts';

it.each([
  'password',
  'Passw0rd!',
  'P@$$word2024',
  '123456',
  '12345678',
  'qwertyuiop',
  'drowssap',
  'letmein99',
  'iloveyou',
])('%s is among those that are tried first', (password) => {
  expect(strengthOf(password)).toMatchObject({ level: 'common' });
});

it.each(['abcdefghijkl', 'aaaaaaaaaaaa', 'kp7dq', '19840312', 'qwertzuiop123', 'lkjhgfdsapoi'])(
  '%s is weak',
  (password) => {
    expect(strengthOf(password)).toMatchObject({ level: 'weak' });
  },
);

it('is weak when it contains what others know', () => {
  expect(strengthOf('Okafor-in-Lagos-71', ['Ada Okafor', 'ada@example.com'])).toEqual({
    level: 'weak',
    advice: 'It contains your name or address, which others know.',
  });
  expect(strengthOf('Harbour-in-Lagos-71', ['Ada Okafor', ''])).toMatchObject({ level: 'strong' });
});

it.each(['kx7#dqpw', 'otterpurple'])('%s is fair', (password) => {
  expect(strengthOf(password)).toMatchObject({ level: 'fair' });
});

it.each(['correct horse battery', 'Wv9!kqLr2#zT', 'drei graue Wolken ziehen'])('%s is strong', (password) => {
  expect(strengthOf(password)).toMatchObject({ level: 'strong' });
});

it('reads no further than a password is long', () => {
  expect(strengthOf(`${'ab1!'.repeat(50)}${'x'.repeat(1e6)}`).level).toBe('strong');
});
