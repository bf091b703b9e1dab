import { useQuery } from '@tanstack/react-query';
import { z } from 'zod';
import { reach } from '#web/api/client.ts';
import { keyOf } from '#web/api/query-key.ts';

export type TriedRequest = {
  method: string;
  /** The path with its query. */
  path: string;
  /** The body; undefined for none. */
  body: unknown;
  /** The API key; null for a request that needs none. */
  key: string | null;
};

export type TriedAnswer = {
  status: number;
  tookMs: number;
  text: string;
  /** Whether the answer is longer than what is shown. */
  isCut: boolean;
};

const mostCharacters = 20_000;

/** Sends a request like a program with this key, without the session of the viewer. */
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

/** Reads only the beginning of an answer, since a file may have any length. */
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

/** JSON with line breaks; any other text as it is. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

const List = z.object({ data: z.array(z.looseObject({ id: z.string() })) });

/** The id of the first entry of a list, so that an example is about something that exists; undefined without a workspace, a list, or an entry. */
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
