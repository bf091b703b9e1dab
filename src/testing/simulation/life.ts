/** Whether a worker runs, stands still in the middle of everything, or is gone. */
export type Life = {
  isAlive(): boolean;
  /** Returns at once while it runs, later when it was frozen, never when it is gone. */
  pass(): Promise<void>;
  /** The same for what comes from outside and has no promise. */
  enter(go: () => void): void;
  freeze(): void;
  thaw(): void;
  kill(): void;
};

export function createLife(): Life {
  let state: 'running' | 'frozen' | 'gone' = 'running';
  let waiting: (() => void)[] = [];
  const life: Life = {
    isAlive: () => state !== 'gone',
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
      state = 'gone';
      waiting = [];
    },
  };
  return life;
}
