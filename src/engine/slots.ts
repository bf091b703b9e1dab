export type SlotLimits = {
  /** Claimed deliveries in hand at the most. */
  slots: number;
  /** Of which one workspace may hold this many, so that the others always find some free. */
  slotsPerWorkspace: number;
};

/** A claim waits until a quarter of the places is free: taking jobs one by one costs the database as much as a hundred. */
const isFull = (taken: number, places: number) => taken > places * 0.75;
const hasJustRoom = (taken: number, places: number) => isFull(taken + 1, places) && !isFull(taken, places);

const isBefore = (one: Temporal.Instant, other: Temporal.Instant) => Temporal.Instant.compare(one, other) < 0;

/** The places for attempts in flight, and who holds them. */
export function createSlots({ slots, slotsPerWorkspace }: SlotLimits) {
  const held = new Map<string, number>();
  const resting = new Map<string, { from: Temporal.Instant; until: Temporal.Instant }>();
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
    /** Nothing more is claimed of this workspace for so long: what was, had to be put back. */
    rest(workspaceId: string, { from, ms }: { from: Temporal.Instant; ms: number }): void {
      resting.set(workspaceId, { from, until: from.add({ milliseconds: ms }) });
    },
    /** Workspaces that have their share in flight, or rest, and when the first of these is looked at again. */
    saturated(now: Temporal.Instant): { workspaceIds: string[]; until: Temporal.Instant | null } {
      let until: Temporal.Instant | null = null;
      for (const [workspaceId, rest] of resting) {
        // A clock that was set back would make an hour of a second.
        if (isBefore(now, rest.from) || !isBefore(now, rest.until)) resting.delete(workspaceId);
        else if (until === null || isBefore(rest.until, until)) until = rest.until;
      }
      const full = [...held]
        .filter(([, count]) => isFull(count, slotsPerWorkspace))
        .map(([workspaceId]) => workspaceId);
      return { workspaceIds: [...new Set([...full, ...resting.keys()])], until };
    },
  };
}

export type Slots = ReturnType<typeof createSlots>;
