import { expect } from 'vitest';
import type { DispatcherLimits } from '#engine/claiming/dispatcher.ts';
import type { CuebirdProcess } from '#testing/process.ts';
import type { Look } from './look.ts';
import type { Scene } from './scene.ts';
import { report } from './table.ts';

/** A lost worker's jobs are in other hands after its lease and a sweep, and what a busy machine needs for itself. */
export const promisedMs = ({ leaseMs, sweepMs }: Pick<DispatcherLimits, 'leaseMs' | 'sweepMs'>) =>
  leaseMs + sweepMs + 10_000;

/** The name under which a process stands in its claims ends with this. */
export const workerOf = (process: CuebirdProcess) => `:${process.pid}`;

/** The attempts of a worker that a fault has cut off, also where a busy machine lets us look after somebody took them up. */
export const cutOff = ({ running, takenUp }: Look, process: CuebirdProcess): ReadonlySet<string> =>
  new Set([
    ...takenUp,
    ...running.flatMap(({ worker, recipient }) => (worker.endsWith(workerOf(process)) ? [recipient] : [])),
  ]);

export type Fault = {
  scenario: string;
  at: number;
  /** Whose attempts had begun, and had no outcome on record, when the fault came. */
  inFlight: ReadonlySet<string>;
  /** When somebody else took up what a lost worker had in flight; null where no worker was lost. */
  takenUpAt: number | null;
};

/**
 * What must be true after every fault: nobody was forgotten, every job ended well and once, and nobody was served twice
 * but whose attempt was in flight when its worker was lost, under the same webhook-id or Message-ID.
 */
export async function expectAllServed(scene: Scene, { scenario, inFlight, at, takenUpAt }: Fault): Promise<void> {
  const mayBeDoubled = takenUpAt === null ? new Set<string>() : inFlight;
  const endedMs = Date.now() - at;
  const { jobs, deliveries, finishedRuns } = await scene.look();
  const { recipients, reminders } = scene.written;
  const messages = scene.messages();
  const served = Map.groupBy(messages, ({ recipient }) => recipient);
  const doubled = [...served].filter(([, copies]) => copies.length > 1);
  report({
    scenario,
    recipients,
    lost: recipients - served.size,
    duplicated: messages.length - served.size,
    inFlight: inFlight.size,
    takenUpMs: takenUpAt === null ? null : takenUpAt - at,
    endedMs,
  });
  expect(served.size).toBe(recipients);
  expect(deliveries).toEqual({ accepted: recipients });
  expect(jobs).toEqual({ completed: reminders });
  expect(Object.values(finishedRuns)).toEqual(Array.from({ length: reminders }, () => 1));
  expect(doubled.map(([recipient]) => recipient).filter((recipient) => !mayBeDoubled.has(recipient))).toEqual([]);
  expect(doubled.filter(([, copies]) => new Set(copies.map(({ id }) => id)).size > 1)).toEqual([]);
  expect(new Set(messages.map(({ id }) => id)).size).toBe(recipients);
}
