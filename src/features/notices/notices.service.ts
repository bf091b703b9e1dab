import type { Pool } from 'pg';
import * as rows from '#features/notices/notices.db.ts';
import { noticeMail } from '#features/notices/notices.mail.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';

type Deps = {
  /** Of the role cuebird_engine. */
  pool: Pool;
  clock: Clock;
  log: Log;
  /** Where people reach Cuebird. */
  url: string;
  /** Whether the mail was taken; null where there is no mail server. */
  sendMail: ((mail: { to: string; subject: string; text: string }) => Promise<boolean>) | null;
  /** A copy of a database tells nobody. */
  isHeld: () => Promise<boolean>;
};

export type Notices = {
  /** Something was not sent. Returns at once. */
  wake(): void;
  stop(): Promise<void>;
};

/** What comes in together is told together. */
const gatherMs = 60_000;

/** What had to wait for the next day is looked for this often, and a mail that failed is tried again. */
const lookEveryMs = 3_600_000;

const graceMs = 5_000;
const listed = 20;
const keptDays = 30;

/** Tells the owners of each workspace by mail what could not be sent, once a day (UTC) at most. */
export function startNotices(deps: Deps): Notices {
  const { clock, log } = deps;
  const stopped = new AbortController();
  let sleeper = new AbortController();
  const later = (ms: number) => clock.now().add({ milliseconds: ms });
  const done = run();

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      // Made anew before looking, so that a wake that comes while we look is not slept through.
      sleeper = new AbortController();
      await clock.sleepUntil(later(gatherMs), stopped.signal);
      if (stopped.signal.aborted) return;
      await tellOwners(deps).catch((error: unknown) =>
        log.warn({ error: String(error) }, 'telling owners what was not sent failed; trying again'),
      );
      await clock.sleepUntil(later(lookEveryMs), sleeper.signal);
    }
  }

  return {
    wake: () => sleeper.abort(),
    async stop() {
      stopped.abort();
      sleeper.abort();
      // A mail server that hangs does not hold up the end: what it was to send is told another day.
      const grace = new AbortController();
      await Promise.race([done.finally(() => grace.abort()), clock.sleepUntil(later(graceMs), grace.signal)]);
    },
  };
}

async function tellOwners(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  await rows.forgetOlderThan(deps.pool, now.subtract({ hours: keptDays * 24 }).toString());
  if (deps.sendMail === null || (await deps.isHeld())) return;
  const day = now.toString().slice(0, 10);
  for (const workspace of await rows.findUntold(deps.pool, day)) {
    const of = { workspaceId: workspace.id, day };
    if (!(await rows.takeDay(deps.pool, of))) continue;
    const isTold = await tell(deps, { workspace, day });
    await (isTold ? rows.forgetTold(deps.pool, of) : rows.giveBackDay(deps.pool, of));
  }
}

/** Whether anybody was told, or nobody is there to be told. */
async function tell(
  { pool, log, url, sendMail }: Deps,
  { workspace, day }: { workspace: { id: string; name: string }; day: string },
): Promise<boolean> {
  const of = { workspaceId: workspace.id, day };
  const { count, first } = await rows.takeNotices(pool, { ...of, limit: listed });
  const owners = await rows.findOwners(pool, workspace.id);
  if (count === 0 || owners.length === 0) return true;
  const mail = noticeMail({ workspace: workspace.name, count, first, url });
  const taken = await Promise.all(
    owners.map((to) =>
      (sendMail?.({ to, ...mail }) ?? Promise.resolve(false)).catch((error: unknown) => {
        log.warn({ error: String(error) }, 'a notice was not sent');
        return false;
      }),
    ),
  );
  return taken.includes(true);
}
