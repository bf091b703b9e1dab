import type {
  AfterFailOver,
  DeliveryPauseNotice,
  deliveryPauseRoutes,
  PausedDeliveries,
  Resume,
} from '#contract/delivery-pause.ts';
import type { HandlersOf } from '#platform/handler.ts';

export type DeliveryPausePorts = {
  /** The pause of deliveries; null when deliveries are not paused. */
  notice(): Promise<DeliveryPauseNotice | null>;
  afterFailOver(): AfterFailOver;
  list(notice: DeliveryPauseNotice): Promise<PausedDeliveries>;
  /** Returns how many occurrences were recorded as missed. */
  resume(input: Resume & { actorId: string }): Promise<number>;
};

export const deliveryPauseHandlers = (ports: DeliveryPausePorts): HandlersOf<typeof deliveryPauseRoutes> => ({
  async getDeliveryPause() {
    const notice = await ports.notice();
    const watched = { after_fail_over: ports.afterFailOver() };
    return notice === null ? { state: 'delivering', ...watched } : { ...(await ports.list(notice)), ...watched };
  },
  async resumeDeliveries({ ctx, body }) {
    const missed = await ports.resume({ ...body, actorId: ctx.actor.userId });
    return { state: 'delivering', missed };
  },
});
