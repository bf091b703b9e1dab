export type SlotLimits = {
  /** The most deliveries that this worker runs at a time. */
  slots: number;
  /** The most slots for one workspace, so that others always find some free. */
  slotsPerWorkspace: number;
};

/**
 * A claim waits until a quarter of the slots is free: taking one job costs the database as much as taking a hundred.
 */
const isFull = (taken: number, slots: number) => taken > slots * 0.75;
const hasJustCapacity = (taken: number, slots: number) => isFull(taken + 1, slots) && !isFull(taken, slots);

/** The slots for attempts in flight, with the workspaces that use them. */
export function createSlots({ slots, slotsPerWorkspace }: SlotLimits) {
  const inUse = new Map<string, number>();
  const excluded = new Map<string, { fromMs: number; untilMs: number }>();
  let taken = 0;
  return {
    take(workspaceId: string, count: number): void {
      inUse.set(workspaceId, (inUse.get(workspaceId) ?? 0) + count);
      taken += count;
    },
    /** Frees a slot. True when this made claiming useful again. */
    release(workspaceId: string): boolean {
      const left = (inUse.get(workspaceId) ?? 1) - 1;
      if (left === 0) inUse.delete(workspaceId);
      else inUse.set(workspaceId, left);
      taken -= 1;
      return hasJustCapacity(taken, slots) || hasJustCapacity(left, slotsPerWorkspace);
    },
    isFull: () => isFull(taken, slots),
    /** How many jobs one more claim may take. All of them may belong to the busiest workspace that is not saturated. */
    capacityForClaim(): number {
      const busiest = Math.max(0, ...[...inUse.values()].filter((count) => !isFull(count, slotsPerWorkspace)));
      return Math.min(slots - taken, slotsPerWorkspace - busiest);
    },
    capacityOf: (workspaceId: string) => Math.min(slots - taken, slotsPerWorkspace - (inUse.get(workspaceId) ?? 0)),
    /** Claims nothing more of this workspace for a while, because what was claimed had to be put back. */
    exclude(workspaceId: string, { fromMs, forMs }: { fromMs: number; forMs: number }): void {
      excluded.set(workspaceId, { fromMs, untilMs: fromMs + forMs });
    },
    /** Workspaces that have used their share or are excluded, and when the first exclusion ends. */
    saturated(nowMs: number): { workspaceIds: string[]; untilMs: number | null } {
      let untilMs: number | null = null;
      for (const [workspaceId, exclusion] of excluded) {
        // After the clock was set back, the exclusion would last too long.
        if (nowMs < exclusion.fromMs || nowMs >= exclusion.untilMs) excluded.delete(workspaceId);
        else untilMs = Math.min(untilMs ?? exclusion.untilMs, exclusion.untilMs);
      }
      const full = [...inUse]
        .filter(([, count]) => isFull(count, slotsPerWorkspace))
        .map(([workspaceId]) => workspaceId);
      return { workspaceIds: [...new Set([...full, ...excluded.keys()])], untilMs };
    },
  };
}

export type Slots = ReturnType<typeof createSlots>;
