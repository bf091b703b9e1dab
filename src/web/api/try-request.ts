import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { reach } from '#web/api/client.ts';
import { keyOf } from '#web/api/query-key.ts';

export type TriedRequest = {
  method: string;
  /** Path and query. */
  path: string;
  /** Undefined for a request without a body. */
  body: unknown;
  /** Null for an address that needs none. */
  key: string | null;
};

export type TriedAnswer = {
  status: number;
  tookMs: number;
  text: string;
  /** The answer is longer than what is shown. */
  isCut: boolean;
};

const mostCharacters = 20_000;

/** Sends a request as a program with this key would: without the session of who is signed in. */
export async function tryRequest({ method, path, body, key }: TriedRequest): Promise<TriedAnswer> {
  const startedAt = performance.now();
  const response = await reach(path, {
    method,
    credentials: 'omit',
    headers: {
      accept: 'application/json',
      ...(key !== null && { authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const { text, isCut } = await beginningOf(response);
  return { status: response.status, tookMs: Math.round(performance.now() - startedAt), text: indented(text), isCut };
}

/** A file may be of any length: the rest is not loaded. */
async function beginningOf({ body }: Response): Promise<{ text: string; isCut: boolean }> {
  if (body === null) return { text: '', isCut: false };
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return { text, isCut: false };
    text += value;
    if (text.length > mostCharacters) {
      await reader.cancel();
      return { text: text.slice(0, mostCharacters), isCut: true };
    }
  }
}

function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const List = z.object({ data: z.array(z.looseObject({ id: z.string() })) });

/**
 * The id of the first thing of a list in the workspace, so that an example is about something that exists; undefined without a
 * workspace, a list, or anything in it.
 */
export const useExampleId = (workspaceId: string | undefined, listPath: string | null): string | undefined =>
  useQuery({
    queryKey: keyOf(workspaceId ?? '', 'examples', listPath ?? ''),
    enabled: workspaceId !== undefined && listPath !== null,
    retry: false,
    queryFn: async ({ signal }) => {
      const headers = { 'x-workspace-id': workspaceId ?? '' };
      const response = await reach(`${listPath}?limit=1`, { headers, signal });
      const parsed = List.safeParse(response.ok ? await response.json() : null);
      return parsed.data?.data[0]?.id ?? null;
    },
  }).data ?? undefined;
