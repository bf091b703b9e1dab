import { createHash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import {
  createRendererOn,
  endedAnswer,
  isQuick,
  limitMsOf,
  perform,
  type RenderingAnswer,
  type RenderingTask,
  type Renderer,
  textsOf,
} from '#domain/rendering.ts';
import type { RenderingPool } from './pool.ts';

/** A text that exceeded its limit this often is refused at once, for a while after the last time. */
const mostTimes = 3;
const refusedForMs = 60_000;

/** How often a text has used up its time; `reason` when it had to be ended. */
type Slow = { times: number; until: number; reason?: string };

/** Renders plain templates synchronously, and Liquid in a thread of the pool. */
export function createRenderer(pool: RenderingPool, now: () => number = Date.now): Renderer {
  const slow = new LRUCache<string, Slow>({ max: 1_000 });

  async function inPool(task: RenderingTask, workspaceId: string): Promise<RenderingAnswer> {
    const key = keyOf(task, workspaceId);
    const known = slow.get(key);
    const before = known !== undefined && known.until > now() ? known : undefined;
    if (before !== undefined && before.times >= mostTimes) return endedAnswer(task, before.reason);
    const outcome = await pool.run(workspaceId, task);
    const until = now() + refusedForMs;
    if (outcome.kind === 'answered') {
      const { answer, usedMs } = outcome.answer;
      if (usedMs >= limitMsOf(task)) slow.set(key, { times: (before?.times ?? 0) + 1, until });
      return answer;
    }
    const reason = outcome.by === 'memory' ? 'it needs too much memory' : undefined;
    slow.set(key, { times: mostTimes, until, reason });
    return endedAnswer(task, reason);
  }

  return createRendererOn((task, workspaceId) => (isQuick(task) ? perform(task) : inPool(task, workspaceId)));
}

/** The key of a text, without its values: with other values it takes as long. */
const keyOf = (task: RenderingTask, workspaceId: string) =>
  createHash('sha256')
    .update(JSON.stringify([workspaceId, task.kind, textsOf(task)]))
    .digest('base64');
