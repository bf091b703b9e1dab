type Timer = { atMs: number; luck: number; fire: () => void };

/** Simulated time. It advances to the next timer as soon as no work is left. */
export type Timeline = {
  nowMs(): number;
  /** Monotonic time, unaffected by changes of the clock. */
  steadyMs(): number;
  /** Calls `fire` at this time, or once time is later. Returns a function that cancels it. */
  at(ms: number, fire: () => void): () => void;
  sleep(ms: number): Promise<void>;
  /** Real work that must end before time advances. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Records activity that others may react to. Returns how often that happened since time last advanced. */
  touch(): number;
  /** Lets all work finish, then advances, for this long in monotonic time. */
  run(ms: number, afterEach?: () => void): Promise<void>;
  /** The machine is suspended for this long: timers fire late. */
  suspend(ms: number): void;
  /** Sets the clock ahead or back. Timers keep their remaining time. */
  leap(ms: number): void;
};

/** @param luck random order of timers at the same instant */
export function createTimeline(startMs: number, luck: () => number): Timeline {
  let nowMs = startMs;
  let leaptMs = 0;
  let touched = 0;
  let touchedBefore = 0;
  let working = 0;
  let whenDone: (() => void) | null = null;
  const timers = new Set<Timer>();

  const timeline: Timeline = {
    nowMs: () => nowMs,
    steadyMs: () => nowMs - leaptMs,
    at(atMs, fire) {
      touched += 1;
      const timer = { atMs, luck: luck(), fire };
      timers.add(timer);
      return () => void timers.delete(timer);
    },
    sleep: (ms) => new Promise((resolve) => timeline.at(nowMs + ms, resolve)),
    async during(work) {
      working += 1;
      try {
        return await work;
      } finally {
        working -= 1;
        touched += 1;
        whenDone?.();
      }
    },
    touch() {
      touched += 1;
      return touched - touchedBefore;
    },
    async run(ms, afterEach = () => {}) {
      const untilMs = timeline.steadyMs() + ms;
      for (;;) {
        await quiet();
        afterEach();
        const next = nextMs();
        if (next - leaptMs > untilMs) break;
        nowMs = Math.max(nowMs, next);
        touchedBefore = touched;
        wake();
      }
      nowMs = Math.max(nowMs, untilMs + leaptMs);
    },
    suspend(ms) {
      nowMs += ms;
    },
    leap(ms) {
      nowMs += ms;
      leaptMs += ms;
      for (const timer of timers) timer.atMs += ms;
    },
  };
  return timeline;

  /** Two event-loop ticks without activity: the recorder gathers for one. */
  async function quiet(): Promise<void> {
    for (let idle = 0; idle < 2; ) {
      const before = touched;
      if (working > 0) await new Promise<void>((resolve) => (whenDone = resolve));
      await new Promise<void>((resolve) => setImmediate(resolve));
      idle = touched === before && working === 0 ? idle + 1 : 0;
    }
  }

  function nextMs(): number {
    let next = Infinity;
    for (const { atMs } of timers) if (atMs < next) next = atMs;
    return next;
  }

  function wake(): void {
    const due = [...timers].filter(({ atMs }) => atMs <= nowMs).sort((a, b) => a.atMs - b.atMs || a.luck - b.luck);
    for (const timer of due) if (timers.delete(timer)) timer.fire();
  }
}
