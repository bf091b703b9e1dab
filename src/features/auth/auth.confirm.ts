import type pg from 'pg';
import type { SignInLimits } from '#features/auth/auth.limits.ts';
import type { Passwords } from '#features/auth/auth.options.ts';
import { beginningOf, passwordOf } from '#features/auth/auth.people.ts';
import type { Person } from '#features/auth/auth.sessions.ts';
import { Forbidden, Invalid } from '#platform/errors.ts';

const freshMinutes = 10;

type Ports = {
  pool: pg.Pool;
  limits: Pick<SignInLimits, 'admitConfirmation' | 'recordConfirmation'>;
  verify: Passwords['verify'];
  now: () => Temporal.Instant;
};

/** Whoever sits at an open screen must not do what only its owner may: see `Auth.confirmPerson`. */
export async function confirmPerson(
  { pool, limits, verify, now }: Ports,
  { person, given }: { person: Person; given: string | undefined },
): Promise<void> {
  const hash = await passwordOf(pool, person.email);
  if (hash === null) return assertFresh(await beginningOf(pool, person.sessionId), now());
  if (given === undefined || given === '') throw wrong('Enter your password');
  await limits.admitConfirmation(person.userId);
  if (!(await verify({ hash, password: given }))) throw wrong('This is not your password');
  await limits.recordConfirmation(person.userId);
}

const wrong = (message: string) => new Invalid([{ path: 'password', message }]);

function assertFresh(beginning: Temporal.Instant | null, now: Temporal.Instant): void {
  if (beginning !== null && Temporal.Instant.compare(beginning.add({ minutes: freshMinutes }), now) > 0) return;
  throw new Forbidden(
    `Your account has no password. Sign out, sign in with Google, and try again within ${freshMinutes} minutes.`,
  );
}
