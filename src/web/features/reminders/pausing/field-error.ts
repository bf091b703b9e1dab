import { ApiError } from '#web/api/client.ts';
import { messageOf } from '#web/ui/message-of.ts';

/** The API's words about this field; else what it says about the request. */
export const fieldErrorOf = (error: unknown, path: string): string =>
  (error instanceof ApiError ? error.fields?.find((field) => field.path === path)?.message : undefined) ??
  messageOf(error);
