type Timer = { atMs: number; luck: number; fire: () => void };

/** Time that moves on by itself, to the next thing that somebody waits for, as soon as nobody has anything left to do. */
export type Timeline = {
  nowMs(): number;
  /** Counts on evenly, whatever the clock is set to. */
  steadyMs(): number;
  /** Calls at this time, or as soon as time is later. Returns how to call it off. */
  at(ms: number, fire: () => void): () => void;
  sleep(ms: number): Promise<void>;
  /** Real work that must end before time moves on. */
  during<T>(work: Promise<T>): Promise<T>;
  /** Something has happened that others may go on with. Returns how often that was since time last moved on. */
  touch(): number;
  /** Lets everybody finish, then moves on, for so long as it counts evenly. */
  run(ms: number, afterEach?: () => void): Promise<void>;
  /** The machine is asleep for so long: whoever waited wakes late. */
  doze(ms: number): void;
  /** Somebody sets the clock, ahead or back: whoever waits goes on waiting as long as before. */
  leap(ms: number): void;
};

/** @param luck draws in which order those wake who wait for the same moment */
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
    doze(ms) {
      nowMs += ms;
    },
    leap(ms) {
      nowMs += ms;
      leaptMs += ms;
      for (const timer of timers) timer.atMs += ms;
    },
  };
  return timeline;

  /** Two turns of the event loop in which nothing happened: the recorder gathers for one. */
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
