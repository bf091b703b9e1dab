import type { Client } from 'pg';

/** Notifies the dispatcher, like saving a reminder: it then reads the time of the next job again. */
export async function wakeDispatcher(owner: Client): Promise<void> {
  await owner.query("select pg_notify('cuebird_due', '')");
}

/** Whether no job is due or claimed: a claim ends with the result of its last job. */
export async function isAllDone(owner: Client): Promise<boolean> {
  const { rows } = await owner.query<{ done: boolean }>(
    'select not exists (select from claims) and not exists (select from queue where run_at <= now()) as done',
  );
  return rows[0]?.done === true;
}
