import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { z } from 'zod';
import { workspaceFileRoutes } from '#contract/workspace-files.ts';
import { call, jsonOf, reach, refusalOf } from '#web/api/client.ts';
import { fileUrl } from '#web/api/file-url.ts';
import { keyOf } from '#web/api/query-key.ts';

type Export = {
  workspaceId: string;
  signal: AbortSignal;
  /** Called with the number of bytes that have arrived. */
  onBytes: (bytes: number) => void;
};

/** Fetches the workspace's file. A link would download it too, but show neither progress nor errors. */
export async function fetchExport({ workspaceId, signal, onBytes }: Export): Promise<{ name: string; file: Blob }> {
  const path = workspaceFileRoutes.exportWorkspace.path.replace(':id', workspaceId);
  const response = await reach(fileUrl(path, { workspace: workspaceId }), { signal });
  if (!response.ok) throw refusalOf(response, await jsonOf(response));
  const parts: Uint8Array<ArrayBuffer>[] = [];
  let bytes = 0;
  const reader = response.body?.getReader();
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    parts.push(part.value);
    bytes += part.value.byteLength;
    onBytes(bytes);
  }
  const [, name = 'workspace.json'] =
    /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '') ?? [];
  return { name, file: new Blob(parts, { type: 'application/json' }) };
}

type Import = {
  file: z.input<typeof workspaceFileRoutes.importWorkspace.body>;
  mode: 'preview' | 'import';
  takesSettings: boolean;
};

/** Imports a file, or previews the import; only an import writes. */
export function useImportWorkspace(workspaceId: string) {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: ({ file, mode, takesSettings }: Import) =>
      call(workspaceFileRoutes.importWorkspace, {
        params: { id: workspaceId },
        query: { mode, settings: takesSettings ? 'true' : 'false' },
        body: file,
        workspaceId,
      }),
    // Refetches everything, since an import may create anything.
    onSuccess: (_, { mode }) =>
      mode === 'import' ? queryClient.invalidateQueries({ queryKey: [workspaceId] }) : undefined,
  });
}

const progressEveryMs = 500;

/** How far the import is, while somebody waits for it. */
export const useImportProgress = (workspaceId: string, { isWatched }: { isWatched: boolean }) =>
  useQuery({
    queryKey: keyOf(workspaceId, 'workspaces', 'import'),
    queryFn: async ({ signal }) =>
      (await call(workspaceFileRoutes.getWorkspaceImport, { params: { id: workspaceId }, workspaceId, signal })).latest,
    enabled: isWatched,
    refetchInterval: progressEveryMs,
    gcTime: 0,
  });
