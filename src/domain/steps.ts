/** A long computation that can be interrupted: it yields after each item, and returns its result. */
export type Steps<Result> = Generator<void, Result>;

/** Runs a computation at once. */
export function finish<Result>(steps: Steps<Result>): Result {
  let step = steps.next();
  while (step.done !== true) step = steps.next();
  return step.value;
}
