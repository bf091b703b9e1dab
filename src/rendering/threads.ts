import { Worker } from 'node:worker_threads';
import { z } from 'zod';
import type { RenderingAnswer, RenderingTask } from '#domain/rendering.ts';

/** The result of a task: `ended`, with the reason, when its thread was stopped before it answered. */
export type Outcome =
  | { kind: 'answered'; answer: RenderingAnswer; usedMs: number }
  | { kind: 'ended'; by: 'time' | 'memory' };

export type RenderingThread = {
  /** @throws Error when the thread itself fails */
  render(task: RenderingTask, endAfterMs: number): Promise<Outcome>;
  /** Resolves when the thread has exited, for any reason. */
  gone: Promise<void>;
  stop(): Promise<void>;
};

const memory = { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 };

/** Starts a rendering thread. Its start does not count towards any task's time. */
export async function startRenderingThread(): Promise<RenderingThread> {
  const worker = new Worker(new URL('rendering.worker.ts', import.meta.url), {
    name: 'rendering',
    // Templates are rendered without access to the process's secrets and options.
    env: {},
    execArgv: [],
    resourceLimits: memory,
  });
  // Lets the process end while the thread is idle.
  worker.unref();
  const gone = new Promise<void>((resolve) => worker.once('exit', () => resolve()));
  await readiness(worker);
  return {
    gone,
    async stop() {
      await worker.terminate();
    },
    render(task, endAfterMs) {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
      let endedBy: 'time' | 'memory' = 'time';
      const onMessage = (message: unknown) => resolve({ kind: 'answered', ...Answered.parse(message) });
      const onError = (error: Error) => {
        if ('code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') endedBy = 'memory';
        else reject(error);
      };
      const onExit = () => resolve({ kind: 'ended', by: endedBy });
      const timer = setTimeout(() => void worker.terminate(), endAfterMs);
      worker.once('message', onMessage).once('error', onError).once('exit', onExit);
      worker.postMessage(task);
      return promise.finally(() => {
        clearTimeout(timer);
        worker.off('message', onMessage).off('error', onError).off('exit', onExit);
      });
    },
  };
}

/** Resolves when the thread reports that it accepts work. */
function readiness(worker: Worker): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const onExit = (code: number) => reject(new Error(`The rendering thread ended with code ${code} while it started`));
  worker
    .once('message', () => resolve())
    .once('error', reject)
    .once('exit', onExit);
  return promise.finally(() => worker.off('error', reject).off('exit', onExit));
}

const RenderedShape = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('rendered'), text: z.string() }),
  z.object({ kind: z.literal('missing'), variable: z.string() }),
  z.object({ kind: z.literal('broken'), reason: z.string() }),
]);
const PreviewedShape = z.object({
  subject: z.string(),
  body: z.string(),
  missing: z.array(z.string()),
  problems: z.array(z.object({ part: z.enum(['subject', 'body']), message: z.string() })),
});
const PieceShape = z.union([
  z.string(),
  z.object({ kind: z.enum(['text', 'label', 'code']), index: z.number() }),
  z.object({ kind: z.enum(['linkStart', 'linkEnd']), address: z.string(), label: z.string() }),
]);
const CompiledShape = z.object({ text: z.array(PieceShape), html: z.array(PieceShape).nullable() });
const RenderingAnswerShape: z.ZodType<RenderingAnswer> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('message'), parts: z.array(RenderedShape) }),
  z.object({ kind: z.literal('preview'), previewed: PreviewedShape }),
  z.object({ kind: z.literal('compile'), compiled: CompiledShape.nullable() }),
  z.object({ kind: z.literal('warnings'), warnings: z.array(z.array(z.string())) }),
]);
const Answered = z.object({ answer: RenderingAnswerShape, usedMs: z.number() });
