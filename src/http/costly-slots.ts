import { RateLimited } from '#platform/errors.ts';

/** Limits of each process. Less than the connections of the database pool: costly work must leave some for everything else. */
const costlyLimits = { ofSender: 2, ofAll: 5, waitingOfSender: 20 } as const;

export type CostlySlots = { take<T>(sender: string, work: () => Promise<T>): Promise<T> };

type Waiting = { sender: string; begin: () => void };

/** Runs costly work in one of a few slots, in the order of arrival. Throws RateLimited when too much of one sender waits. */
export function createCostlySlots(
  limits: { ofSender: number; ofAll: number; waitingOfSender: number } = costlyLimits,
): CostlySlots {
  const running = new Map<string, number>();
  let waiting: Waiting[] = [];
  let all = 0;

  const count = (sender: string, by: 1 | -1) => {
    all += by;
    const now = (running.get(sender) ?? 0) + by;
    if (now === 0) running.delete(sender);
    else running.set(sender, now);
  };

  function beginNext(): void {
    waiting = waiting.filter(({ sender, begin }) => {
      if (all >= limits.ofAll || (running.get(sender) ?? 0) >= limits.ofSender) return true;
      count(sender, 1);
      begin();
      return false;
    });
  }

  return {
    async take(sender, work) {
      if (waiting.filter((one) => one.sender === sender).length >= limits.waitingOfSender)
        throw new RateLimited('Too many costly requests are waiting.', { retryAfterSeconds: 5 });
      const slot = Promise.withResolvers<void>();
      waiting.push({ sender, begin: slot.resolve });
      beginNext();
      await slot.promise;
      try {
        return await work();
      } finally {
        count(sender, -1);
        beginNext();
      }
    },
  };
}
