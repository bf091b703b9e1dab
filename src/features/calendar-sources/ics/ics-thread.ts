import { z } from 'zod';
import { LeftOut } from '#contract/calendar-sources.ts';
import { createFairSlots, type FairSlotLimits } from '#platform/fair-slots.ts';
import { startTaskThread } from '#platform/task-thread.ts';
import type { IcsResult, IcsTask } from './messages.ts';

/** Files that are parsed at a time, each in a thread with the memory below. */
const limits: FairSlotLimits = {
  ofAll: 2,
  of: { person: 1, workspace: 1, address: 1, strangers: 1 },
  waitingOfSharer: 20,
};
const asked = createFairSlots(limits);
const inBackground = createFairSlots(limits);
/** A file is ended after so much of its thread's processor time. */
const mostProcessorMs = 8_000;

/** Throws RateLimited when too many files of the workspace or of the person, who is null for a program, wait. */
export type ReadIcs = (task: IcsTask, of: { workspaceId: string; personId: string | null }) => Promise<IcsResult>;

/**
 * Parses a file in a thread of its own, which is ended when it takes too much time or memory: requests are served meanwhile, and no file stops the
 * process.
 */
export const readIcs: ReadIcs = (task, { workspaceId, personId }) =>
  asked.take({ workspace: workspaceId, ...(personId !== null && { person: personId }) }, () => parseInThread(task));

/** Does the same for calendars that are due, of which none keeps a person waiting. */
export const readIcsInBackground: ReadIcs = (task, { workspaceId }) =>
  inBackground.take({ workspace: workspaceId }, () => parseInThread(task));

async function parseInThread(task: IcsTask): Promise<IcsResult> {
  const thread = await startTaskThread<IcsTask, IcsResult>({
    name: 'calendar',
    script: new URL('ics.worker.ts', import.meta.url),
    // The memory that a file of 5 MB may need.
    memory: { maxOldGenerationSizeMb: 384, maxYoungGenerationSizeMb: 32 },
    parseAnswer: (message) => IcsResultShape.parse(message),
  });
  try {
    const outcome = await thread.run(task, { processorMs: mostProcessorMs, waiting: 4 });
    return outcome.kind === 'answered'
      ? outcome.answer
      : { kind: 'refused', reason: 'The calendar takes too long to read.' };
  } finally {
    await thread.stop();
  }
}

const IcsResultShape: z.ZodType<IcsResult> = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('read'),
    messages: z.array(
      z.object({
        key: z.string(),
        hash: z.string(),
        at: z.string(),
        title: z.string(),
        start: z.string(),
        data: z.record(z.string(), z.string()),
      }),
    ),
    leftOut: z.array(LeftOut),
  }),
  z.object({ kind: z.literal('refused'), reason: z.string() }),
]);
