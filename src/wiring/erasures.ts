import { startEraser } from '#features/erasures/eraser.service.ts';
import type { Runtime } from '#wiring/runtime.ts';

/** Starts the erasing of people: in every process, of which one at a time does it. */
export function openErasures({ clock, database, log, ownerUrl, secrets, stack, superseded }: Runtime): void {
  const eraser = startEraser({ pool: database.engine, ownerUrl, clock, log, secrets });
  stack.add('erasures', () => eraser.stop());
  // Once a newer version runs, that one knows every column.
  superseded.addEventListener('abort', () => void eraser.stop());
  if (superseded.aborted) void eraser.stop();
}
