import type { Held, HoldNotice, holdRoutes, Release } from '#contract/hold.ts';
import type { HandlersOf } from '#platform/handler.ts';

export type HoldPorts = {
  /** Why nothing goes out; null when deliveries go out. */
  notice(): Promise<HoldNotice | null>;
  list(notice: HoldNotice): Promise<Held>;
  /** Returns how many occurrences were recorded as missed. */
  release(release: Release & { actorId: string }): Promise<number>;
};

export const holdHandlers = (ports: HoldPorts): HandlersOf<typeof holdRoutes> => ({
  async getHold() {
    const notice = await ports.notice();
    return notice === null ? { state: 'delivering' } : ports.list(notice);
  },
  async releaseHold({ ctx, body }) {
    const missed = await ports.release({ ...body, actorId: ctx.actor.userId });
    return { state: 'delivering', missed };
  },
});
