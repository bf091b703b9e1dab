/** Whether a worker runs, is frozen, or is dead. */
export type Life = {
  isAlive(): boolean;
  /** Returns at once while the worker runs, later when it is frozen, never when it is dead. */
  pass(): Promise<void>;
  /** The same for callbacks from outside, which have no promise. */
  enter(go: () => void): void;
  freeze(): void;
  thaw(): void;
  kill(): void;
};

export function createLife(): Life {
  let state: 'running' | 'frozen' | 'dead' = 'running';
  let waiting: (() => void)[] = [];
  const life: Life = {
    isAlive: () => state !== 'dead',
    pass: () => new Promise((resolve) => life.enter(resolve)),
    enter(go) {
      if (state === 'running') go();
      else if (state === 'frozen') waiting.push(go);
    },
    freeze() {
      if (state === 'running') state = 'frozen';
    },
    thaw() {
      if (state !== 'frozen') return;
      state = 'running';
      const those = waiting;
      waiting = [];
      for (const go of those) life.enter(go);
    },
    kill() {
      state = 'dead';
      waiting = [];
    },
  };
  return life;
}
