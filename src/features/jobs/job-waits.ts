import { z } from 'zod';
import { maxWaitSeconds } from '#contract/jobs.ts';
import { type Clock, neverAborts } from '#platform/clock.ts';
import { type AccessChange, subscribeToAccessChanges } from '#platform/access-changes.ts';
import { RateLimited } from '#platform/errors.ts';
import type { PubSub } from '#platform/pubsub.ts';

/** Requests that wait for the end of a job. */
export type JobWaits = {
  /**
   * Resolves once the job has ended, the time is over, or the signal aborts; it does not say which. Throws RateLimited for too many waits of the
   * caller, the workspace or the process.
   */
  untilEnded(job: {
    workspaceId: string;
    jobId: string;
    caller: string;
    seconds: number;
    signal: AbortSignal;
  }): Promise<void>;
};

type Deps = {
  pubsub: Pick<PubSub, 'subscribe'>;
  clock: Pick<Clock, 'now' | 'sleepUntil'>;
  /** Returns which of these jobs have ended or are deleted. */
  findEnded: (of: { workspaceId: string; jobIds: readonly string[] }) => Promise<string[]>;
  onError: (error: unknown) => void;
};

type Wait = { jobId: string; caller: string; end: AbortController };

/** The most waits at a time. Also limited per workspace, which can have any number of keys. */
const most = { ofCaller: 20, ofWorkspace: 200, ofProcess: 2_000 };

/** The shortest time between two queries for the jobs of one workspace, however often they change. */
const pauseMs = 100;

const Payload = z.object({ workspace: z.uuid(), tables: z.array(z.string()) });

/**
 * The waits of this process. Changes of jobs are announced to it, as to open screens; one query then looks at all awaited jobs of the workspace, so
 * that its cost does not grow with the waits.
 */
export function createJobWaits({ pubsub, clock, findEnded, onError }: Deps): JobWaits {
  const waits = new Map<string, Set<Wait>>();
  const looking = new Set<string>();
  const changed = new Set<string>();

  pubsub.subscribe('cuebird_changes', (payload) => {
    if (payload === null) return [...waits.keys()].forEach(look);
    const { workspace, tables } = Payload.parse(JSON.parse(payload));
    if (tables.includes('jobs') && waits.has(workspace)) look(workspace);
  });

  // A caller whose access ends is answered at once.
  subscribeToAccessChanges(pubsub, (change) => {
    for (const [workspaceId, ofWorkspace] of waits)
      for (const { caller, end } of ofWorkspace) if (hasLost({ workspaceId, caller }, change)) end.abort();
  });

  function look(workspaceId: string): void {
    changed.add(workspaceId);
    if (!looking.has(workspaceId)) void lookWhileChanged(workspaceId);
  }

  async function lookWhileChanged(workspaceId: string): Promise<void> {
    looking.add(workspaceId);
    try {
      while (changed.delete(workspaceId)) {
        const open = [...(waits.get(workspaceId) ?? [])];
        if (open.length === 0) return;
        const ended = new Set(await findEnded({ workspaceId, jobIds: [...new Set(open.map(({ jobId }) => jobId))] }));
        for (const { jobId, end } of open) if (ended.has(jobId)) end.abort();
        await clock.sleepUntil(clock.now().add({ milliseconds: pauseMs }), neverAborts);
      }
    } catch (error) {
      // After a failed query the callers wait on, and are answered when their time is over.
      onError(error);
    } finally {
      looking.delete(workspaceId);
    }
  }

  function assertMayWait({ workspaceId, caller }: { workspaceId: string; caller: string }): void {
    const all = [...waits.values()].flatMap((ofWorkspace) => [...ofWorkspace]);
    if (
      all.length >= most.ofProcess ||
      (waits.get(workspaceId)?.size ?? 0) >= most.ofWorkspace ||
      all.filter((wait) => wait.caller === caller).length >= most.ofCaller
    )
      throw new RateLimited('Too many requests wait for jobs.', { retryAfterSeconds: maxWaitSeconds });
  }

  return {
    async untilEnded({ workspaceId, jobId, caller, seconds, signal }) {
      assertMayWait({ workspaceId, caller });
      const wait: Wait = { jobId, caller, end: new AbortController() };
      const ofWorkspace = waits.get(workspaceId) ?? new Set<Wait>();
      waits.set(workspaceId, ofWorkspace.add(wait));
      // The job may have ended before this wait began to listen.
      look(workspaceId);
      try {
        await clock.sleepUntil(clock.now().add({ seconds }), AbortSignal.any([signal, wait.end.signal]));
      } finally {
        ofWorkspace.delete(wait);
        if (ofWorkspace.size === 0) waits.delete(workspaceId);
      }
    },
  };
}

/** Whether this caller has lost access: its key was revoked, or its membership ended. */
function hasLost(
  { workspaceId, caller }: { workspaceId: string; caller: string },
  change: AccessChange | null,
): boolean {
  if (change === null) return false;
  if ('api_key' in change) return change.api_key === caller;
  return 'workspace' in change && change.workspace === workspaceId && change.user === caller;
}
