/**
 * The product's own sentences in the ledger's `reason` that code reads back: the ledger has no codes. Rows of earlier versions
 * contain them too, so the beginning of a sentence must not change.
 */

/** Why nothing is sent to a recipient who is on the workspace's list. */
export const onSuppressionList = 'The recipient is on the suppression list';

export const waitsForHours = (opening: string) => `${hours}: ${opening}`;
export const waitsForRateLimit = (ratePerSecond: number) =>
  `${rateLimit}: the channel sends ${ratePerSecond} ${ratePerSecond === 1 ? 'message' : 'messages'} per second`;
export const destinationIsBusy = 'The destination is busy with earlier messages';
/** An owner deleted the workspace while a run of it had recipients left. */
export const workspaceWasDeleted = 'The workspace was deleted';
/** An administrator of the installation suspended it while a run of it had recipients left. */
export const workspaceWasSuspended = 'The workspace was suspended';
/** The process that was to send it stopped before it did. */
export const serverWasStopped = 'The server was stopped';
/** The process that was sending it ended without an outcome. */
export const workerWasLost = 'The server stopped, and the message may have been sent';
export const adapterFailed = (provider: string, cause: string) => `The ${provider} adapter failed: ${cause}`;
export const variableIsMissing = (name: string) => `missing variable ${name}`;

const hours = 'Waits for sending hours';
const rateLimit = 'Waits for the rate limit';

/** Whether the delivery waits although nothing has failed. */
export const isPlannedWait = (reason: string): boolean => reason.startsWith(hours) || reason.startsWith(rateLimit);

/** Whether the delivery was not attempted because of a limit of ours, so that nobody else has a problem. */
export const isOwnLimit = (reason: string): boolean => isPlannedWait(reason) || reason.startsWith(destinationIsBusy);

/** The variable that a message had no value for; null for every other reason. */
export const missingVariableIn = (reason: string): string | null => /^missing variable (\S+)/.exec(reason)?.[1] ?? null;
