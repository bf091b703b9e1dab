/**
 * The most that one claim does for audiences. Everybody in it waits until its transaction has ended; jobs beyond the budget stay in the queue
 * for the next one. The last job that fits may exceed it, so that every claim serves one.
 */
export type AudienceBudget = {
  /** How many jobs one claim takes. */
  jobs: number;
  /** No further audience is asked for after these milliseconds. */
  ms: number;
  /** People of all audiences together. */
  people: number;
  /** How many workspaces are asked at a time. Each takes a connection of the engine. */
  workspaces: number;
};

export const defaultAudienceBudget: AudienceBudget = { jobs: 64, ms: 500, people: 10_000, workspaces: 2 };
