import { type Answer, jsonAnswer } from '#platform/sandbox/call.ts';

export type MessageBirdError = { code: number; description: string; parameter: string | null };

/** MessageBird's words for what it does not take (developers.messagebird.com/api/#api-errors). */
export function refusals(status: number, errors: readonly MessageBirdError[]): Answer {
  return jsonAnswer(status, { errors });
}
