/**
 * The header with which Cuebird says how many of its own requests, each sent because of the one before, led to this one. A message or an activity
 * that leads back to a hook or to the API goes in a circle, and each round may send more than the one before.
 */
export const hopsHeader = 'cuebird-hops';

/** A request with a higher count is refused. */
export const maxHops = 3;
