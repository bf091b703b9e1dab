export type SlotLimits = {
  /** Claimed deliveries in hand at the most. */
  slots: number;
  /** Of which one workspace may hold this many, so that the others always find some free. */
  slotsPerWorkspace: number;
};

/** A claim waits until a quarter of the places is free: taking jobs one by one costs the database as much as a hundred. */
const isFull = (taken: number, places: number) => taken > places * 0.75;
const hasJustRoom = (taken: number, places: number) => isFull(taken + 1, places) && !isFull(taken, places);

/** The places for attempts in flight, and who holds them. */
export function createSlots({ slots, slotsPerWorkspace }: SlotLimits) {
  const held = new Map<string, number>();
  const resting = new Map<string, Temporal.Instant>();
  let taken = 0;
  return {
    take(workspaceId: string, count: number): void {
      held.set(workspaceId, (held.get(workspaceId) ?? 0) + count);
      taken += count;
    },
    /** Frees a place. True where this made a claim worth its while again. */
    leave(workspaceId: string): boolean {
      const left = (held.get(workspaceId) ?? 1) - 1;
      if (left === 0) held.delete(workspaceId);
      else held.set(workspaceId, left);
      taken -= 1;
      return hasJustRoom(taken, slots) || hasJustRoom(left, slotsPerWorkspace);
    },
    isFull: () => isFull(taken, slots),
    /** What one more claim may take: all of it may turn out to be of the busiest workspace that is not saturated. */
    roomForClaim(): number {
      const busiest = Math.max(0, ...[...held.values()].filter((count) => !isFull(count, slotsPerWorkspace)));
      return Math.min(slots - taken, slotsPerWorkspace - busiest);
    },
    roomOf: (workspaceId: string) => Math.min(slots - taken, slotsPerWorkspace - (held.get(workspaceId) ?? 0)),
    /** Nothing more is claimed of this workspace until then: what was, had to be put back. */
    rest(workspaceId: string, until: Temporal.Instant): void {
      resting.set(workspaceId, until);
    },
    /** Workspaces that have their share in flight, or rest, and when the first of these is looked at again. */
    saturated(now: Temporal.Instant): { workspaceIds: string[]; until: Temporal.Instant | null } {
      let until: Temporal.Instant | null = null;
      for (const [workspaceId, end] of resting) {
        if (Temporal.Instant.compare(end, now) <= 0) resting.delete(workspaceId);
        else if (until === null || Temporal.Instant.compare(end, until) < 0) until = end;
      }
      const full = [...held]
        .filter(([, count]) => isFull(count, slotsPerWorkspace))
        .map(([workspaceId]) => workspaceId);
      return { workspaceIds: [...new Set([...full, ...resting.keys()])], until };
    },
  };
}

export type Slots = ReturnType<typeof createSlots>;
