import type pg from 'pg';
import type { AdminPerson, Demos } from '#contract/admin-people.ts';
import * as rows from '#features/admin/people.db.ts';
import type { PersonContext } from '#platform/context.ts';
import { searchedText } from '#platform/pattern.ts';
import { decodeCursor } from '#platform/cursor.ts';
import { Conflict, Forbidden, NotFound, Unprocessable } from '#platform/errors.ts';
import { pageOf } from '#platform/page.ts';

export async function listPeople(
  { db }: Pick<PersonContext, 'db'>,
  {
    search,
    limit,
    cursor,
    demos,
  }: { search?: string | undefined; limit: number; cursor?: string | undefined; demos: Demos },
): Promise<{ data: AdminPerson[]; next_cursor: string | null }> {
  const found = await rows.findPeople(db, { search: searchedText(search), after: decodeCursor(cursor), limit, demos });
  return pageOf(found, { at: (person) => person.created_at });
}

/** A person with workspaces and sessions. Throws NotFound. */
export async function findPerson({ db }: Pick<PersonContext, 'db'>, id: string): Promise<AdminPerson> {
  const person = await rows.findPerson(db, { id });
  if (person === undefined) throw new NotFound('person');
  return person;
}

/** `pool` is connected as the role cuebird_auth, which alone may write to people. */
type Act = rows.PersonAct & { pool: pg.Pool };

/** Verifies the person's address, as the link in the mail would. Throws NotFound and Forbidden. */
export async function verifyPerson(act: Act): Promise<void> {
  await actOn(act, 'verify');
}

/** Ends every session of the person, and the links that were mailed to them. Throws NotFound and Forbidden. */
export async function signOutPerson(act: Act): Promise<void> {
  await actOn(act, 'signOut');
}

/** Throws NotFound, Forbidden, Unprocessable for the demo account, and Conflict for somebody suspended. */
export async function makeAdministrator(act: Act): Promise<void> {
  const person = await actOn(act, 'makeAdministrator');
  if (person.is_demo) throw new Unprocessable('The demo account cannot administer the installation');
  if (person.is_suspended) throw new Conflict('Lift the suspension first');
}

/**
 * Nobody can do so to themself, so that one administrator remains. Throws NotFound, Forbidden, and Conflict for oneself and for those whom
 * ADMIN_EMAILS names.
 */
export async function removeAdministrator(act: Act): Promise<void> {
  if (act.id === act.actorId)
    throw new Conflict('You cannot take the administration from yourself. Another administrator can.');
  const person = await actOn(act, 'removeAdministrator');
  if (person.is_system_admin && person.is_listed)
    throw new Conflict('ADMIN_EMAILS names this address. Remove it from the configuration and restart Cuebird first.');
}

async function actOn({ pool, ...asked }: Act, act: Parameters<typeof rows.actOnPerson>[1]['act']) {
  const found = await rows.actOnPerson(pool, { ...asked, act });
  if (found === undefined) throw new NotFound('person');
  if (!found.may_act) throw new Forbidden('Only system administrators may do this');
  return found;
}
