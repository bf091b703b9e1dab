import { type Answer, jsonAnswer } from '#sandbox/call.ts';

export type MessageBirdError = { code: number; description: string; parameter: string | null };

/** MessageBird's error responses (developers.messagebird.com/api/#api-errors). */
export function refusals(status: number, errors: readonly MessageBirdError[]): Answer {
  return jsonAnswer(status, { errors });
}
