import type { PubSub } from '#platform/pubsub.ts';

/** Resolves with the result of `read` once it satisfies the test's condition; reads again after every change notice. */
export function untilReached<T>({
  pubsub,
  read,
  isReached,
}: {
  pubsub: PubSub;
  read: () => Promise<T>;
  isReached: (value: T) => boolean;
}): Promise<T> {
  return new Promise((resolve, reject) => {
    let isReading = false;
    let isStale = false;
    const look = async (): Promise<void> => {
      if (isReading) {
        isStale = true;
        return;
      }
      isReading = true;
      try {
        do {
          isStale = false;
          const value = await read();
          if (isReached(value)) {
            stop();
            resolve(value);
            return;
          }
        } while (isStale);
      } catch (error) {
        stop();
        reject(error);
      }
      isReading = false;
    };
    const stops = [
      pubsub.subscribe('cuebird_changes', () => void look()),
      pubsub.subscribe('cuebird_due', () => void look()),
    ];
    const stop = () => {
      for (const end of stops) end();
    };
    void look();
  });
}
