import type { ClaimDecision } from '#engine/run/claim-decision.ts';
import type { EngineStore } from '#engine/store.ts';
import type { Call, EventContent } from '#simulation/history.ts';
import type { Process } from '#simulation/world.ts';

const never = new Promise<never>(() => {});

class Gone extends Error {}

/** More calls than this at one instant mean an endless loop. */
const most = 5_000;

/** The relative probability of a fault in each operation. */
const weights: Record<keyof EngineStore, number> = {
  claim: 0.3,
  nextDue: 0.05,
  awaitingAudience: 0.05,
  stillOwned: 1,
  beginAttempts: 1,
  jobState: 1,
  skipOpen: 1,
  takeTimes: 1,
  backOffChannel: 0.05,
  extendLeases: 0.3,
  record: 1,
  openClaims: 0.05,
  restoreClaims: 0,
  rescue: 1,
  withoutNext: 0.05,
  schedule: 1,
};

/**
 * The store as one worker reaches it: a call may be late, fail before or after it took effect, be the worker's last, or
 * freeze it. Everything that took effect is recorded in the history.
 */
export function createFaultyStore(store: EngineStore, process: Process): EngineStore {
  const { world, state, name } = process;
  const { timeline, history, random } = world;

  /**
   * `reported` returns the event, null when it is irrelevant. Users act between effect and answer only if there is an
   * event.
   */
  async function ask<T>(
    verb: keyof EngineStore,
    run: () => Promise<T>,
    reported: (answer: T, call: Call) => EventContent | null,
  ): Promise<T> {
    const weight = weights[verb];
    if (timeline.touch() > most) {
      history.count('endless loops');
      return die('because it calls without end at one instant');
    }
    await state.pass();
    const call: Call = { worker: name, since: history.moment(), answered: null };
    await mayBeLate(weight);
    // The call was on its way when the worker died, so it may still take effect.
    if (!state.isAlive() && random.chance(0.5)) return never;
    if (process.happens('fails', weight)) throw new Error(`the connection was lost before ${verb}`);
    if (process.happens('dies', weight)) return die(`before ${verb}`);
    if (process.happens('freezes', weight)) process.freeze(`in ${verb}`);
    const answer = await timeline.during(run());
    const event = reported(answer, call);
    if (event !== null) {
      history.record(event);
      await timeline.during(world.failOvers.afterTransaction());
      if (process.happens('dies', 1)) return die(`after ${verb}`);
      if (process.happens('freezes', 1)) process.freeze(`after ${verb}`);
      await world.maybeInterleave(event);
      if (process.happens('answerLost', 1)) throw new Error(`the connection was lost after ${verb}`);
      await mayBeLate(1);
    }
    await state.pass();
    call.answered = history.moment();
    return answer;
  }

  function die(where: string): Promise<never> {
    process.die(where);
    return never;
  }

  async function mayBeLate(weight: number): Promise<void> {
    if (!process.happens('late', weight)) return;
    const ms = random.pick([5, 50, 500, 500, 3_000, 20_000, 120_000]);
    await timeline.sleep(random.between(1, ms));
  }

  return {
    claim: (request, decide) =>
      ask(
        'claim',
        () =>
          store.claim(request, async (found) => {
            const claim: ClaimDecision = await decide(found);
            if (!process.happens('dies', 0.3)) return claim;
            process.die('while it was claiming');
            throw new Gone();
          }),
        (claim, call) => (claim === null ? null : { kind: 'claim', request, claim, call }),
      ).catch((error: unknown) => (error instanceof Gone ? never : Promise.reject(error))),
    nextDue: (except) =>
      ask(
        'nextDue',
        () => store.nextDue(except),
        () => null,
      ),
    awaitingAudience: (request) =>
      ask(
        'awaitingAudience',
        () => store.awaitingAudience(request),
        () => null,
      ),
    stillOwned: (claimId, waiting) =>
      ask(
        'stillOwned',
        () => store.stillOwned(claimId, waiting),
        ({ owned }, call) => ({ kind: 'owned', claimId, jobIds: owned, call }),
      ),
    beginAttempts: (job, request) =>
      ask(
        'beginAttempts',
        () => store.beginAttempts(job, request),
        ({ begun }, call) => ({ kind: 'begin', job, begun, call }),
      ),
    jobState: (jobId) =>
      ask(
        'jobState',
        () => store.jobState(jobId),
        () => null,
      ),
    skipOpen: (job, request) =>
      ask(
        'skipOpen',
        () => store.skipOpen(job, request),
        () => null,
      ),
    takeTimes: (channel, request) =>
      ask(
        'takeTimes',
        () => store.takeTimes(channel, request),
        () => null,
      ),
    backOffChannel: (channel, until) =>
      ask(
        'backOffChannel',
        () => store.backOffChannel(channel, until),
        () => null,
      ),
    extendLeases: (claimIds, until) =>
      ask(
        'extendLeases',
        () => store.extendLeases(claimIds, until),
        () => null,
      ),
    record: (batch) =>
      ask(
        'record',
        () => world.fences.watch(batch, () => store.record(batch)),
        (_, call) => ({ kind: 'record', batch, call }),
      ),
    openClaims: () =>
      ask(
        'openClaims',
        () => store.openClaims(),
        () => null,
      ),
    restoreClaims: (request) =>
      ask(
        'restoreClaims',
        () => store.restoreClaims(request),
        () => null,
      ),
    rescue: (request, settle) => {
      const lost: Extract<EventContent, { kind: 'rescue' }>['lost'] = [];
      return ask(
        'rescue',
        () =>
          store.rescue(request, (attempt) => {
            const settled = settle(attempt);
            lost.push({ attempt, settled });
            return settled;
          }),
        (rescued, call) =>
          rescued === null ? null : { kind: 'rescue', claimId: request.claim.id, lost, jobs: rescued.jobs, call },
      );
    },
    withoutNext: (request) =>
      ask(
        'withoutNext',
        () => store.withoutNext(request),
        () => null,
      ),
    schedule: (nextOccurrences) => {
      const now = history.moment();
      return ask(
        'schedule',
        () => store.schedule(nextOccurrences),
        (_, call) => ({ kind: 'schedule', nextOccurrences, now, call }),
      );
    },
  };
}
