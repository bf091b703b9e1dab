import { z } from 'zod';
import { type Answered, inWords, jsonIn } from '#delivery/answer.ts';

const Errors = z.object({
  errors: z.array(z.object({ code: z.number(), description: z.string(), parameter: z.string().nullish() })).min(1),
});

/** For example `MessageBird 10: originator is invalid (originator)`. */
export function messageBirdReason(answer: Answered): string {
  const error = jsonIn(answer, Errors)?.errors[0];
  if (error === undefined) return `MessageBird: ${inWords(answer)}`;
  const { code, description, parameter } = error;
  return `MessageBird ${code}: ${description}${parameter ? ` (${parameter})` : ''}`;
}

export const messageBirdHeaders = (config: { api_key: string }) => ['authorization', `AccessKey ${config.api_key}`];
