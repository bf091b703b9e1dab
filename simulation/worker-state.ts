/** Whether a worker runs, is frozen, or is dead. */
export type WorkerState = {
  isAlive(): boolean;
  /** Returns at once while the worker runs, later when it is frozen, never when it is dead. */
  pass(): Promise<void>;
  /** The same for callbacks from outside, which have no promise. */
  enter(go: () => void): void;
  freeze(): void;
  thaw(): void;
  kill(): void;
};

export function createWorkerState(): WorkerState {
  let current: 'running' | 'frozen' | 'dead' = 'running';
  let waiting: (() => void)[] = [];

  function enter(go: () => void): void {
    if (current === 'running') go();
    else if (current === 'frozen') waiting.push(go);
  }

  return {
    isAlive: () => current !== 'dead',
    pass: () => new Promise(enter),
    enter,
    freeze() {
      if (current === 'running') current = 'frozen';
    },
    thaw() {
      if (current !== 'frozen') return;
      current = 'running';
      const those = waiting;
      waiting = [];
      for (const go of those) enter(go);
    },
    kill() {
      current = 'dead';
      waiting = [];
    },
  };
}
