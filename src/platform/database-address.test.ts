import { describe, expect, it } from 'vitest';
import { DatabaseAddress, hostUrls } from '#platform/database-address.ts';

const hostsOf = (text: string) => hostUrls(DatabaseAddress.parse(text));

describe('the address of a database', () => {
  it.each([
    ['postgres://ann:pw@a/db', ['postgres://ann:pw@a/db']],
    ['postgres:///db?host=/run/postgresql', ['postgres:///db?host=/run/postgresql']],
    [
      'postgres://ann:pw@a/db?target_session_attrs=read-write',
      ['postgres://ann:pw@a/db?target_session_attrs=read-write'],
    ],
    [
      'postgres://ann:p,w@a:5433,b,[::1]:5434/db?target_session_attrs=read-write&sslmode=verify-full',
      [
        'postgres://ann:p,w@a:5433/db?sslmode=verify-full',
        'postgres://ann:p,w@b/db?sslmode=verify-full',
        'postgres://ann:p,w@[::1]:5434/db?sslmode=verify-full',
      ],
    ],
    ['postgresql://a,b/db?target_session_attrs=primary', ['postgresql://a/db', 'postgresql://b/db']],
    ['postgresql://a,b/db', ['postgresql://a/db', 'postgresql://b/db']],
  ])('%s leads to each of its hosts', (text, hosts) => {
    expect(hostsOf(text)).toEqual(hosts);
  });

  it.each([
    'postgres://a,/db',
    'postgres://a:x,b/db',
    'postgres://,/db',
    'mysql://a,b/db',
    `postgres://${'a,'.repeat(16)}a/db`,
  ])('%s is refused', (text) => {
    expect(DatabaseAddress.safeParse(text).error?.issues[0]?.message).toBe(
      'must be an address that starts with postgres:// or postgresql://',
    );
  });

  it.each(['any', 'standby', 'read-only', 'prefer-standby'])('must not ask for a host that is %s', (kind) => {
    const parsed = DatabaseAddress.safeParse(`postgres://a,b/db?target_session_attrs=${kind}`);
    expect(parsed.error?.issues[0]?.message).toBe(
      'must not ask for another target_session_attrs than read-write or primary, because Cuebird changes data',
    );
  });
});
