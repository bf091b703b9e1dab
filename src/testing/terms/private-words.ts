/**
 * Words that this code once used in a sense of its own, and the standard term for each. No identifier and no file name
 * contains one of them as a word: `roomOf`, `isTold` and `way-out.ts` are refused, `whoever` and `background` are not.
 */
export const privateWords: Record<string, string> = {
  planner: 'scheduler',
  planned: 'scheduled',
  house: 'runtime, context or fixture',
  foundation: 'runtime base',
  room: 'module or capacity',
  way: 'route, endpoint or channel',
  hand: 'executor or active delivery',
  called: 'recheck',
  place: 'slot, context, scope or position',
  turn: 'rate slot, round robin, tick or open count',
  hold: 'delivery pause, deferral, back-off or quota',
  held: 'paused, owned, deferred or delayed',
  gate: 'circuit breaker',
  pace: 'rate limit',
  paced: 'rate limited',
  successor: 'next occurrence',
  stand: 'state',
  told: 'input, report or command',
  tell: 'notify, report or record',
  knock: 'admit or try to start',
  rehearsal: 'simulated failure',
  rehearse: 'simulate a failure',
  unheard: 'unconfirmed',
  spoiled: 'abandoned',
  crew: 'workers',
  mourn: 'worker death',
  hire: 'spawn',
  crowd: 'users',
  weather: 'network faults',
  storm: 'fault rate',
  tempt: 'maybe interleave',
  ambush: 'on next request',
  doze: 'suspend',
  ground: 'backend',
};

/** Whole identifiers that were renamed although each of their words is in ordinary use elsewhere. */
export const privateNames: Record<string, string> = {
  letGo: 'release',
  strangersHtml: 'untrustedHtml',
  goesOn: 'isFallingBack',
  inChains: 'chained',
  queuedRuns: 'overflow',
  createQueued: 'createOverflow',
  createStops: 'createOwnershipCheck',
  keepHours: 'applySendingHours',
  openDoor: 'admitted',
  narrowToSteps: 'narrowToFallback',
  claimAdministration: 'completeAdminSetup',
  prepareClaim: 'prepareAdminSetup',
};

/** Words with one meaning: beside `beside`, in the same name or the path of its file, they would have a second one. */
export const wordsOfOneMeaning = [
  // A payment.
  { word: 'subscription', beside: ['push', 'unsubscribe'], standard: 'browser or link' },
  // What comes in.
  { word: 'event', beside: ['webhook'], standard: 'activity' },
];

/** Names that other programs or common English fix: a word above has its ordinary sense in them. */
export const ordinaryNames: ReadonlySet<string> = new Set([
  'toHaveBeenCalled',
  'toHaveBeenCalledExactlyOnceWith',
  'toHaveBeenCalledOnce',
  'IconHandStop',
  'holdsSecret',
  // A server that answers late holds its requests.
  'holdRequests',
  // The Push API of browsers.
  'PushSubscription',
  'PushSubscriptionOptionsInit',
  'getSubscription',
  'newSubscription',
  'oldSubscription',
]);
