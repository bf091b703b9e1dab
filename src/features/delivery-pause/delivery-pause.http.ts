import type { PausedDeliveries, DeliveryPauseNotice, deliveryPauseRoutes, Resume } from '#contract/delivery-pause.ts';
import type { HandlersOf } from '#platform/handler.ts';

export type DeliveryPausePorts = {
  /** The pause of deliveries; null when deliveries are not paused. */
  notice(): Promise<DeliveryPauseNotice | null>;
  list(notice: DeliveryPauseNotice): Promise<PausedDeliveries>;
  /** Returns how many occurrences were recorded as missed. */
  resume(input: Resume & { actorId: string }): Promise<number>;
};

export const deliveryPauseHandlers = (ports: DeliveryPausePorts): HandlersOf<typeof deliveryPauseRoutes> => ({
  async getDeliveryPause() {
    const notice = await ports.notice();
    return notice === null ? { state: 'delivering' } : ports.list(notice);
  },
  async resumeDeliveries({ ctx, body }) {
    const missed = await ports.resume({ ...body, actorId: ctx.actor.userId });
    return { state: 'delivering', missed };
  },
});
