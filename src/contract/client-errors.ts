import { z } from 'zod';
import { Id } from '#contract/common.ts';
import { post } from '#contract/route.ts';
import { webRoutes } from '#contract/web-routes.ts';

export const clientErrorLimits = { frames: 20 } as const;

/**
 * Messages of browsers and libraries that contain only names of code. Every other message may repeat what somebody has typed, and is not reported.
 */
const wordsOfCode = [
  /^Cannot (?:read|set) properties of (?:undefined|null)/,
  /^(?:can't access property|undefined is not an object|null is not an object)/,
  /^[\w$.]{1,80} is not (?:a function|a constructor|defined|iterable)/,
  /^Minified React error #\d{1,4}/,
  /^(?:Failed to fetch|error loading) dynamically imported module/,
  /^Importing a module script failed/,
  /^Maximum call stack size exceeded|^too much recursion/,
];

/** The part of an error's message that can be reported; null where there is none. */
export function reportableMessage(message: string): string | null {
  for (const words of wordsOfCode) {
    const found = words.exec(message)?.[0];
    if (found !== undefined) return found;
  }
  return null;
}

/** A line of a stack such as `render /assets/JobsScreen-3fA9.js:1:2034`: the function's name, and its position. */
const frame = /^(?:[\w$.<>]{1,80} )?\/[\w./-]{1,120}:\d{1,7}:\d{1,7}$/;

const ClientError = z.strictObject({
  /** A screen that could not be shown, or a script that failed. */
  kind: z.enum(['screen', 'script']),
  /** The path of the screen as the router writes it, without the ids in it. */
  screen: z.enum([...webRoutes, 'unknown']),
  /** The name of the error's class, such as `TypeError`. */
  name: z.string().regex(/^[A-Za-z]{1,40}$/, 'must be the name of a class'),
  message: z
    .string()
    .max(120)
    .refine((text) => reportableMessage(text) === text, 'must be words of a browser')
    .optional(),
  frames: z.array(z.string().regex(frame, 'must be a function and its place')).max(clientErrorLimits.frames),
  /** The request id of the answer that made the screen fail. */
  request_id: Id.optional(),
});
export type ClientError = z.output<typeof ClientError>;

export const clientErrorRoutes = {
  reportClientError: post('/api/client-errors', {
    access: 'user',
    summary: 'Report an error of the web app; administrators find it in their logs by its id',
    limit: { usage: 'client_errors' },
    maxBodyKiB: 16,
    body: ClientError,
    /** The id of the line in the log; null where so many errors are reported that this one is only counted. */
    answer: z.object({ id: Id.nullable() }),
  }),
};
