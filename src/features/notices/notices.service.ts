import type { Pool } from 'pg';
import { oneLine } from '#domain/one-line.ts';
import * as rows from '#features/notices/notices.db.ts';
import type { Clock } from '#platform/clock.ts';
import type { Log } from '#platform/log.ts';
import type { Notice } from './notices.db.ts';

type Deps = {
  /** Connected as the role cuebird_engine. */
  pool: Pool;
  clock: Clock;
  log: Log;
  /** The address at which people reach Cuebird. */
  url: string;
  /** Sends a mail. Returns whether it was accepted; null where there is no mail server. */
  sendMail: ((mail: { to: string; subject: string; text: string }) => Promise<boolean>) | null;
  /** While deliveries are paused, no notices are mailed. */
  isPaused: () => Promise<boolean>;
};

export type Notices = {
  /** Wakes the mailer after an occurrence was not sent. Returns at once. */
  wake(): void;
  stop(): Promise<void>;
};

/** For how long notices are gathered into one mail. */
const gatherMs = 60_000;

/** How often to look for notices that wait for the next day, and for mails that failed. */
const lookEveryMs = 3_600_000;

const graceMs = 5_000;
const listed = 20;
const keptDays = 30;

/** Mails the owners of each workspace what could not be sent, once a day (UTC) at most. */
export function startNotices(deps: Deps): Notices {
  const { clock, log } = deps;
  const stopped = new AbortController();
  let sleeper = new AbortController();
  const later = (ms: number) => clock.now().add({ milliseconds: ms });
  const done = run();

  async function run(): Promise<void> {
    while (!stopped.signal.aborted) {
      // Created before the query, so that a wake-up during the query is not lost.
      sleeper = new AbortController();
      await clock.sleepUntil(later(gatherMs), stopped.signal);
      if (stopped.signal.aborted) return;
      await notifyOwners(deps).catch((error: unknown) =>
        log.warn({ error: String(error) }, 'notifying owners of unsent occurrences failed; trying again'),
      );
      await clock.sleepUntil(later(lookEveryMs), sleeper.signal);
    }
  }

  return {
    wake: () => sleeper.abort(),
    async stop() {
      stopped.abort();
      sleeper.abort();
      // A mail server that does not answer must not delay shutdown: its mail is sent another day.
      const grace = new AbortController();
      await Promise.race([done.finally(() => grace.abort()), clock.sleepUntil(later(graceMs), grace.signal)]);
    },
  };
}

/**
 * Mails the owners of a workspace who want notices.
 * @returns whether a mail was accepted, or nobody wants one
 */
export async function mailOwners(
  deps: Pick<Deps, 'pool' | 'sendMail' | 'log'>,
  { workspaceId, ...mail }: { workspaceId: string; subject: string; text: string },
): Promise<boolean> {
  const owners = await rows.findOwners(deps.pool, workspaceId);
  const concerned = owners.filter(({ kinds }) => kinds.includes('missed'));
  const taken = await Promise.all(concerned.map(({ email }) => sendTo(deps, email, mail)));
  return taken.length === 0 || taken.includes(true);
}

async function notifyOwners(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  await rows.forgetOlderThan(deps.pool, now.subtract({ hours: keptDays * 24 }).toString());
  if (deps.sendMail === null || (await deps.isPaused())) return;
  const day = now.toString().slice(0, 10);
  for (const workspace of await rows.findUntold(deps.pool, day)) {
    const of = { workspaceId: workspace.id, day };
    if (!(await rows.takeDay(deps.pool, of))) continue;
    const isSent = await send(deps, { workspace, day });
    await (isSent ? rows.deleteReported(deps.pool, of) : rows.giveBackDay(deps.pool, of));
  }
}

/** Mails the day's notices of a workspace. Returns whether a mail was sent, or there is no owner to send it to. */
async function send(
  deps: Deps,
  { workspace, day }: { workspace: { id: string; name: string }; day: string },
): Promise<boolean> {
  const { pool, url } = deps;
  const of = { workspaceId: workspace.id, day };
  await rows.takeNotices(pool, of);
  const owners = await rows.findOwners(pool, workspace.id);
  const taken: boolean[] = [];
  for (const { email, kinds } of owners) {
    const { count, first } = await rows.findNoticesOfDay(pool, { ...of, kinds, limit: listed });
    if (count > 0) taken.push(await sendTo(deps, email, noticeMail({ workspace: workspace.name, count, first, url })));
  }
  return taken.length === 0 || taken.includes(true);
}

const sendTo = (
  { sendMail, log }: Pick<Deps, 'sendMail' | 'log'>,
  to: string,
  mail: { subject: string; text: string },
): Promise<boolean> =>
  (sendMail?.({ to, ...mail }) ?? Promise.resolve(false)).catch((error: unknown) => {
    log.warn({ error: String(error) }, 'a notice was not sent');
    return false;
  });

/** The mail to the owners of a workspace: the number of notices, the first of them with links, and a link to all. */
function noticeMail({
  workspace,
  count,
  first,
  url,
}: {
  workspace: string;
  count: number;
  first: readonly Notice[];
  url: string;
}): { subject: string; text: string } {
  const what = count === 1 ? '1 reminder' : `${count} reminders`;
  const rest = count - first.length;
  return {
    subject: `${oneLine(workspace)}: ${what} could not be sent`,
    text: [
      'Hello,',
      `${what} of ${oneLine(workspace)} could not be sent:`,
      ...first.map((notice) => lineOf(notice, url)),
      ...(rest === 0 ? [] : [`… and ${rest} more.`]),
      ...(first.some(({ kind }) => kind === 'over_plan') ? [`To send more, see the plans: ${url}/billing`] : []),
      `To see them all, and to send them again: ${url}/jobs?status=cancelled`,
      `You get this at most once a day, as an owner of the workspace. To choose which of these mails you get: ${url}/settings`,
    ].join('\n\n'),
  };
}

const lineOf = ({ job_id, name, scheduled_for, timezone, reason }: Notice, url: string) =>
  `• ${oneLine(name)}, ${wallTime(scheduled_for, timezone)}\n${oneLine(reason)}\n${url}/jobs?job=${job_id}`;

function wallTime(instant: string, timezone: string): string {
  const { year, month, day, hour, minute } = Temporal.Instant.from(instant).toZonedDateTimeISO(timezone);
  const two = (value: number) => String(value).padStart(2, '0');
  return `${year}-${two(month)}-${two(day)} ${two(hour)}:${two(minute)} (${timezone})`;
}
