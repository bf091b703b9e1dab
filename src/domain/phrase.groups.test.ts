import { describe, expect, it } from 'vitest';
import { type NamedAudience, understand } from '#domain/phrase.ts';

const now = Temporal.Instant.from('2026-11-20T12:05:14Z');
const names = ['Tenants of 12 Elm', 'Board', 'Friends and family', 'Owners'];
const groups = { groups: names.map((name) => ({ id: name, name })), tags: ['vip', 'tenant', 'Board', 'pays rent'] };
const people = [
  { name: 'Ann Lee', email: 'ann@example.com', phone: null },
  { name: 'Owners', email: 'owners@example.com', phone: null },
  { name: 'VIP Travel', email: 'travel@example.com', phone: null },
];
const read = (line: string) => understand(line, { now, timezone: 'Europe/London', people, groups });
const textOf = (named: NamedAudience) =>
  named.kind === 'everyone' ? 'everyone' : `${named.kind} ${named.kind === 'group' ? named.name : named.tag}`;
const meant = (line: string) =>
  read(line).parts.flatMap((part) =>
    part.kind === 'audience'
      ? [part.named === null ? part.people.map(({ name }) => name).join() : textOf(part.named)]
      : [],
  );

describe('a line to people', () => {
  it.each([
    ['email all tenants of 12 Elm every 1st at 9am that rent is due', 'group Tenants of 12 Elm'],
    ['email the group tenants of 12 elm tomorrow at 9am', 'group Tenants of 12 Elm'],
    ['text everybody tagged VIP every Friday at 9am about the meeting', 'tag vip'],
    ['email everyone with the tag vip tomorrow at 9am', 'tag vip'],
    ['email #vip tomorrow at 9am', 'tag vip'],
    ['remind everyone who has the tag pays rent on Monday at 9am to pay', 'tag pays rent'],
    ['email all tenants tomorrow at 9am', 'tag tenant'],
    ['email everybody in the Board group tomorrow at 9am', 'group Board'],
    ['email Friends and family tomorrow at 9am', 'group Friends and family'],
    ['email everyone every Monday at 9am that it is Monday', 'everyone'],
    ['email all of our contacts tomorrow at 9am', 'everyone'],
    ['email Ann tomorrow at 9am', 'Ann Lee'],
    ['tenants get an email every 1st at 9am that rent is due', 'tag tenant'],
    ['every Monday at 9am all tenants should receive a reminder: rent is due', 'tag tenant'],
    ['text the tenants when a payment failed', 'tag tenant'],
    ['text everyone tagged tenant when a payment failed', 'tag tenant'],
  ])('means a group or a tag of this name: “%s”', (line, name) => {
    const { problems, leftOver } = read(line);
    expect({ meant: meant(line), problems, leftOver }).toEqual({ meant: [name], problems: [], leftOver: [] });
  });

  it('means several together', () => {
    expect(meant('email vip, the Board and ann@example.com tomorrow at 9am')).toEqual(['tag vip', 'group Board']);
  });

  it.each([
    [
      'email everybody tagged gold tomorrow at 9am',
      'No tag has this name: “everybody tagged gold”. Choose the people under Channels',
    ],
    [
      'email the group Elm tomorrow at 9am',
      'No group has this name: “the group Elm”. Choose the people under Channels',
    ],
    ['email Owners tomorrow at 9am', '“Owners” is a group and a contact: choose the one you mean under Channels'],
    [
      'text the tenant when a payment failed',
      '“the tenant” may be one person: “everyone tagged tenant” is all of them',
    ],
    ['email the board 3 days after sign-up', '“the board” may be one person: “the group Board” is all of them'],
    [
      'send rent roll every 1st at 9am',
      '“rent roll” may be what to send, or to whom: write “to” before people, and put a message in quotes',
    ],
    [
      'send Ann the rent roll every 1st at 9am',
      '“Ann the rent roll” may be what to send, or to whom: write “to” before people, and put a message in quotes',
    ],
    ['email tenants tomorrow at 9am purple', '“tenants” is not filled in, because not all of the line is understood'],
  ])('means nobody where that is not certain, and says so: “%s”', (line, problem) => {
    expect(meant(line)).toEqual(['']);
    expect(read(line).problems.map(({ text }) => text)).toEqual([problem]);
  });

  it.each([
    'email everyone except Bob tomorrow at 9am',
    'email everyone not tagged vip tomorrow at 9am',
    'email everyone but the board tomorrow at 9am',
    'email everyone at 12 Elm tomorrow at 9am',
    'email everyone from 12 Elm tomorrow at 9am',
    'email everyone that has not paid tomorrow at 9am',
    'email tenants that are late tomorrow at 9am',
    'email tenants of 7 Oak tomorrow at 9am',
    'email tenants who moved out tomorrow at 9am',
    'email tenants in arrears tomorrow at 9am',
  ])('never means more people than it says: “%s”', (line) => {
    expect(meant(line).join('')).toBe('');
  });

  it('says which is meant where a group and a tag have one name', () => {
    expect(read('email the Board tomorrow at 9am').notes.map(({ text }) => text)).toEqual([
      '“the Board” is read as the group; write “tagged” for the tag',
    ]);
  });

  it('means contacts only while the groups are not loaded', () => {
    const { parts } = understand('email vip tomorrow at 9am', { now, timezone: 'Europe/London', people });
    expect(parts.find(({ kind }) => kind === 'audience')).toMatchObject({ named: null, isExplained: false });
  });
});
