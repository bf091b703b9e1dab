import type { Client } from 'pg';

/** As saving a reminder does: a sleeping dispatcher looks again when the next job comes due. */
export async function wakeDispatcher(owner: Client): Promise<void> {
  await owner.query("select pg_notify('cuebird_due', '')");
}

/** Nothing is due and nothing is in hand: a claim ends with the result of its last job. */
export async function isAllDone(owner: Client): Promise<boolean> {
  const { rows } = await owner.query<{ done: boolean }>(
    'select not exists (select from claims) and not exists (select from queue where run_at <= now()) as done',
  );
  return rows[0]?.done === true;
}
