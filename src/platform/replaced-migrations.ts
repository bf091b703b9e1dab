import { createHash } from 'node:crypto';

/** The migrations that have run in a database, oldest first. */
export type AppliedMigrations = readonly { name: string; hash: string }[];

/** Thrown when a database has run some of the migrations that the baseline replaces, but not all. */
export class OutdatedDatabase extends Error {
  constructor(ran: AppliedMigrations) {
    super(
      `The database is from an earlier version of Cuebird, at migration ${ran.at(-1)?.name}, which this version cannot upgrade. Start the code of commit ${lastReplaced.commit} with it once, which upgrades it to ${lastReplaced.migration}; then start this version.`,
    );
  }
}

/** The last migration that the baseline replaces. */
export const lastReplaced = {
  migration: '0081_runs_of_a_corrected_clock.sql',
  commit: '9c0662180ea397e843fbab4b2bba8b6062d5fe1f',
};
/** The first ones of the replaced migrations: those of two histories. */
const firsts: readonly string[] = ['0001_schema.sql', '0001_foundation.sql'];
/** The digest of all replaced migrations' names and hashes. */
const digest = '96738ffc80138db9115cb39551d6478556ed2a98931e809119b7ce0ec681cac0';

/** Whether migrations have run that the baseline replaces: all of them, or some only, or others than those. */
export function replacedMigrations(ran: AppliedMigrations): 'none' | 'complete' | 'incomplete' {
  if (!ran.some(({ name }) => firsts.includes(name))) return 'none';
  // A later migration was added to the replaced ones: that version is unknown, like any newer one.
  if (ran.some(({ name }) => name > lastReplaced.migration)) return 'none';
  const lines = ran.map(({ name, hash }) => `${name} ${hash}\n`).join('');
  return createHash('sha256').update(lines).digest('hex') === digest ? 'complete' : 'incomplete';
}

/** The files that hold the schema as it was when the migrations were squashed. */
export const isBaseline = (name: string) => name < '0013';
