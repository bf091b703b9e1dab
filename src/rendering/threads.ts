import { z } from 'zod';
import type { RenderingAnswer, RenderingTask } from '#domain/rendering.ts';
import { startTaskThread, type TaskThread } from '#platform/task-thread.ts';

/** The answer to a task, with the processor time that it took. */
export type Rendered = { answer: RenderingAnswer; usedMs: number };
export type RenderingThread = TaskThread<RenderingTask, Rendered>;

export const startRenderingThread = (): Promise<RenderingThread> =>
  startTaskThread({
    name: 'rendering',
    script: new URL('rendering.worker.ts', import.meta.url),
    memory: { maxOldGenerationSizeMb: 64, maxYoungGenerationSizeMb: 16 },
    parseAnswer: (message) => AnsweredShape.parse(message),
  });

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
const AnsweredShape = z.object({ answer: RenderingAnswerShape, usedMs: z.number() });
