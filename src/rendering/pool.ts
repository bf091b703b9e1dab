import type { RenderingTask } from '#domain/rendering.ts';
import { RateLimited, Unavailable } from '#platform/errors.ts';
import type { Outcome } from '#platform/task-thread.ts';
import { createFairQueue } from './fair-queue.ts';
import { type Rendered, type RenderingThread, startRenderingThread } from './threads.ts';
import { createUsage } from './usage.ts';

export type PoolLimits = {
  threads: number;
  /**
   * Ends a thread in the middle of a task after this time. Longer than the task's own limit, which the task checks
   * itself: on a busy machine a thread may wait for the processor.
   */
  endAfterMs: number;
  /** `endAfterMs` for a workspace of which several texts had to be ended within a minute; or `refused`. */
  slowWorkspace: 'refused' | { endAfterMs: number };
  /**
   * The most waiting tasks, of one workspace and of all; more are refused. The limit of all applies only to workspaces
   * that have work waiting or under way, so that nobody is refused because of others alone.
   */
  waitingPerWorkspace: number;
  waiting: number;
};

export const webLimits: PoolLimits = {
  threads: 2,
  endAfterMs: 1_000,
  slowWorkspace: 'refused',
  waitingPerWorkspace: 10,
  waiting: 100,
};

/** The limits for deliveries. Nothing is refused: the engine's slots limit how many there are. */
export const deliveryLimits: PoolLimits = {
  threads: 2,
  endAfterMs: 5_000,
  slowWorkspace: { endAfterMs: 1_000 },
  waitingPerWorkspace: Number.POSITIVE_INFINITY,
  waiting: Number.POSITIVE_INFINITY,
};

export type RenderingPool = {
  /**
   * @throws RateLimited when too much is waiting or too many texts had to be ended, Unavailable when the pool is closed
   */
  run(workspaceId: string, task: RenderingTask): Promise<Outcome<Rendered>>;
  close(): Promise<void>;
};

type Waiting = { task: RenderingTask; resolve: (outcome: Outcome<Rendered>) => void; reject: (error: unknown) => void };

/** A few threads, started on first use, and restarted after one had to be ended. */
export function createRenderingPool(
  limits: PoolLimits,
  { start = startRenderingThread, now = Date.now }: { start?: typeof startRenderingThread; now?: () => number } = {},
): RenderingPool {
  const usage = createUsage(now);
  const queue = createFairQueue<Waiting>(usage.usedMs);
  const idle: RenderingThread[] = [];
  const started = new Set<Promise<RenderingThread>>();
  let isClosed = false;

  function dispatch(): void {
    while (queue.waiting() > 0) {
      if (idle.length === 0 && started.size >= limits.threads) return;
      const next = queue.take();
      if (next === undefined) return;
      void work(next.workspaceId, next.work);
    }
  }

  async function work(workspaceId: string, { task, resolve, reject }: Waiting): Promise<void> {
    try {
      const thread = idle.pop() ?? (await startOne());
      const endAfterMs = endAfterMsOf(workspaceId);
      const outcome = await thread.run(task, { elapsedMs: endAfterMs });
      const ended = outcome.kind === 'ended';
      if (!isClosed) usage.record(workspaceId, { ms: ended ? endAfterMs : outcome.answer.usedMs, ended });
      if (outcome.kind === 'answered') idle.push(thread);
      // A thread that is being ended counts until it has exited, because it uses a processor.
      else await thread.gone;
      if (isClosed && outcome.kind === 'ended') throw stopping();
      resolve(outcome);
    } catch (error) {
      reject(error);
    } finally {
      queue.done(workspaceId);
      dispatch();
    }
  }

  function endAfterMsOf(workspaceId: string): number {
    const { slowWorkspace, endAfterMs } = limits;
    return slowWorkspace !== 'refused' && usage.isSlow(workspaceId) ? slowWorkspace.endAfterMs : endAfterMs;
  }

  function hasCapacity(workspaceId: string): boolean {
    if (!queue.has(workspaceId)) return true;
    return queue.waiting(workspaceId) < limits.waitingPerWorkspace && queue.waiting() < limits.waiting;
  }

  function startOne(): Promise<RenderingThread> {
    const starting = start();
    started.add(starting);
    const forget = () => void started.delete(starting);
    starting.then((thread) => thread.gone).then(forget, forget);
    return starting;
  }

  return {
    async run(workspaceId, task) {
      if (isClosed) throw stopping();
      if (limits.slowWorkspace === 'refused' && usage.isSlow(workspaceId)) throw tooSlowWorkspace();
      if (!hasCapacity(workspaceId))
        throw new RateLimited('Too many messages are waiting to be rendered. Try again in a moment.', {
          retryAfterSeconds: 2,
        });
      const { promise, resolve, reject } = Promise.withResolvers<Outcome<Rendered>>();
      queue.add(workspaceId, { task, resolve, reject });
      dispatch();
      return promise;
    },
    async close() {
      isClosed = true;
      for (const { reject } of queue.clear()) reject(stopping());
      const threads = await Promise.allSettled(started);
      await Promise.all(threads.flatMap((each) => (each.status === 'fulfilled' ? [each.value.stop()] : [])));
    },
  };
}

const stopping = () => new Unavailable('Cuebird is stopping. Try again in a moment.');

const tooSlowWorkspace = () =>
  new RateLimited(
    'Several messages of this workspace took too long to fill in. Simplify their Liquid, and try again in a minute.',
    { retryAfterSeconds: 60 },
  );
