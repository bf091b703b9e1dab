/** Stops started components in reverse order; a failing one does not keep the others running. */
export function createStopStack() {
  const stops: { name: string; stop: () => Promise<void> | void }[] = [];
  return {
    add(name: string, stop: () => Promise<void> | void): void {
      stops.push({ name, stop });
    },
    /** Stops everything once; later calls wait for the first. */
    async stopAll(onError: (name: string, error: unknown) => void): Promise<void> {
      for (let entry = stops.pop(); entry !== undefined; entry = stops.pop()) {
        try {
          await entry.stop();
        } catch (error) {
          onError(entry.name, error);
        }
      }
    },
  };
}
