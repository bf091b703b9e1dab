export type SlotLimits = {
  /** The most deliveries that this worker runs at a time. */
  slots: number;
  /** The most slots for one workspace while it is alone. Others get the same part of what it leaves, so that some are always free. */
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
  /** Workspaces that the last look found saturated. */
  let wasSaturated = new Set<string>();
  let taken = 0;

  /** The most slots for a workspace that has so many: the same part of what others leave as one workspace may have of all. */
  const shareOf = (count: number) => Math.ceil(((slots - (taken - count)) * slotsPerWorkspace) / slots);
  const isSaturated = (count: number) => isFull(count, shareOf(count));
  const capacityAt = (count: number) => Math.min(slots - taken, shareOf(count) - count);

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
      let isUseful = hasJustCapacity(taken, slots);
      for (const id of wasSaturated) {
        if (isSaturated(inUse.get(id) ?? 0)) continue;
        wasSaturated.delete(id);
        isUseful = true;
      }
      return isUseful;
    },
    isFull: () => isFull(taken, slots),
    /** How many jobs one more claim may take. All of them may belong to the busiest workspace that is not saturated. */
    capacityForClaim(): number {
      const busiest = Math.max(0, ...[...inUse.values()].filter((count) => !isSaturated(count)));
      return capacityAt(busiest);
    },
    capacityOf: (workspaceId: string) => Math.max(0, capacityAt(inUse.get(workspaceId) ?? 0)),
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
      wasSaturated = new Set([...inUse].filter(([, count]) => isSaturated(count)).map(([workspaceId]) => workspaceId));
      return { workspaceIds: [...new Set([...wasSaturated, ...excluded.keys()])], untilMs };
    },
  };
}

export type Slots = ReturnType<typeof createSlots>;
