import type { Claim } from '#engine/claimed.ts';
import type { EngineStore } from '#engine/store.ts';
import type { Call, Happening } from '#testing/simulation/history.ts';
import type { Place } from '#testing/simulation/worker.ts';

const never = new Promise<never>(() => {});

class Gone extends Error {}

/** Who asks more often than this while time stands still goes round in circles. */
const most = 5_000;

/** How often a mishap strikes here, compared with the places where something is at stake. */
const weights: Record<keyof EngineStore, number> = {
  claim: 0.3,
  nextDue: 0.05,
  stillHeld: 1,
  beginAttempts: 1,
  standOf: 1,
  skipOpen: 1,
  takeTimes: 1,
  holdChannel: 0.05,
  extendLeases: 0.3,
  record: 1,
  openClaims: 0.05,
  rescue: 1,
  withoutNext: 0.05,
  plan: 1,
};

/**
 * The store as one worker reaches it: a call may be late, fail before or after it took effect, be the worker's last, or
 * find it frozen. Everything that took effect is told to the history.
 */
export function createFaultyStore(store: EngineStore, place: Place): EngineStore {
  const { world, life, name } = place;
  const { timeline, history, random } = world;

  /** `told` says what has happened, null where that is of no interest; only then something happens on the way back. */
  async function ask<T>(
    verb: keyof EngineStore,
    run: () => Promise<T>,
    told: (answer: T, call: Call) => Happening | null,
  ): Promise<T> {
    const weight = weights[verb];
    if (timeline.touch() > most) {
      history.count('circles');
      return die('because it asks for ever at one moment');
    }
    await life.pass();
    const call: Call = { worker: name, since: history.moment(), answered: null };
    await mayBeLate(weight);
    // It was on its way when the worker died: it may arrive all the same.
    if (!life.isAlive() && random.chance(0.5)) return never;
    if (place.strikes('fails', weight)) throw new Error(`the connection was lost before ${verb}`);
    if (place.strikes('dies', weight)) return die(`before ${verb}`);
    if (place.strikes('freezes', weight)) place.freeze(`in ${verb}`);
    const answer = await timeline.during(run());
    const happening = told(answer, call);
    if (happening !== null) {
      history.tell(happening);
      if (place.strikes('dies', 1)) return die(`after ${verb}`);
      if (place.strikes('freezes', 1)) place.freeze(`after ${verb}`);
      await world.tempt(happening);
      if (place.strikes('answerLost', 1)) throw new Error(`the connection was lost after ${verb}`);
      await mayBeLate(1);
    }
    await life.pass();
    call.answered = history.moment();
    return answer;
  }

  function die(where: string): Promise<never> {
    place.die(where);
    return never;
  }

  async function mayBeLate(weight: number): Promise<void> {
    if (!place.strikes('late', weight)) return;
    const ms = random.pick([5, 50, 500, 500, 3_000, 20_000, 120_000]);
    await timeline.sleep(random.between(1, ms));
  }

  return {
    claim: (request, decide) =>
      ask(
        'claim',
        () =>
          store.claim(request, async (found) => {
            const claim: Claim = await decide(found);
            if (!place.strikes('dies', 0.3)) return claim;
            place.die('while it was claiming');
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
    stillHeld: (claimId, waiting) =>
      ask(
        'stillHeld',
        () => store.stillHeld(claimId, waiting),
        ({ held }, call) => ({ kind: 'held', claimId, jobIds: held, call }),
      ),
    beginAttempts: (job, request) =>
      ask(
        'beginAttempts',
        () => store.beginAttempts(job, request),
        ({ begun }, call) => ({ kind: 'begin', job, begun, call }),
      ),
    standOf: (jobId) =>
      ask(
        'standOf',
        () => store.standOf(jobId),
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
    holdChannel: (channel, until) =>
      ask(
        'holdChannel',
        () => store.holdChannel(channel, until),
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
    rescue: (request, settle) => {
      const lost: Extract<Happening, { kind: 'rescue' }>['lost'] = [];
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
    plan: (successors) => {
      const now = history.moment();
      return ask(
        'plan',
        () => store.plan(successors),
        (_, call) => ({ kind: 'plan', successors, now, call }),
      );
    },
  };
}
