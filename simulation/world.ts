import type { Backend } from '#simulation/backend.ts';
import type { FailOvers } from '#simulation/fail-overs.ts';
import type { FenceWatch } from '#simulation/fences.ts';
import type { EventContent, History } from '#simulation/history.ts';
import type { NetworkFaults } from '#simulation/network-faults.ts';
import type { Random } from '#simulation/random.ts';
import type { Scenario, WorkerFaults } from '#simulation/scenario.ts';
import type { Timeline } from '#simulation/timeline.ts';
import type { WorkerState } from '#simulation/worker-state.ts';

/** Everything around a simulated worker. Each part has its own random stream. */
export type World = {
  scenario: Scenario;
  backend: Backend;
  timeline: Timeline;
  history: History;
  networkFaults: NetworkFaults;
  fences: FenceWatch;
  failOvers: FailOvers;
  workers: Workers;
  users: Users;
  random: Random;
  engineRandom: Random;
  userRandom: Random;
  isChaos(): boolean;
  happens(kind: keyof WorkerFaults, weight: number): boolean;
  /** Users may act after the effect, before the worker gets the answer. */
  maybeInterleave(event: EventContent): Promise<void>;
  /** Runs when the next request is in flight. */
  onNextRequest(happen: () => void): void;
  fire(): void;
  /** No faults from now on. */
  calm(): void;
};

/** The workers of a simulation. A dead worker is replaced. */
export type Workers = {
  start(): void;
  onWorkerDeath(): void;
  /** Something may be due: some of them are notified. */
  wake(): void;
  /** All die at once, and new ones start after this time. */
  outage(ms: number): void;
  /** One is stopped and replaced. */
  restartOne(): void;
  /** Frozen workers continue, and at least one runs. */
  recover(): void;
  stopAll(): Promise<void>;
};

/** The users of a simulation, who act at the most awkward moments. */
export type Users = {
  /** The contacts that are there from the start. */
  begin(): Promise<void>;
  write(): Promise<void>;
  actSomehow(): Promise<void>;
  /** A user reacts to what has just happened. */
  actOn(event: EventContent): Promise<void>;
  /** Restores what is being deleted, so that everything open can end. */
  restoreWorkspaces(): Promise<void>;
};

/** A worker's context in the simulation, with the faults that may happen to it. */
export type Process = {
  name: string;
  state: WorkerState;
  world: World;
  happens(kind: keyof WorkerFaults, weight: number): boolean;
  die(where: string): void;
  freeze(where: string): void;
};
