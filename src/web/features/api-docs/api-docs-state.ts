import { createContext, use } from 'react';
import { useRememberedWorkspaceId } from '#web/api/current-workspace.ts';
import { isClosed } from '#web/api/workspaces.ts';
import { useWorkspaces } from '#web/features/workspaces/WorkspaceProvider.tsx';
import type { Language } from './request-code.ts';

type ApiDocsState = {
  language: Language;
  setLanguage: (language: Language) => void;
  /** The API key for requests. Kept in memory only, until the screen is left. */
  apiKey: string;
  setApiKey: (key: string) => void;
};

export const ApiDocsContext = createContext<ApiDocsState | null>(null);

export function useApiDocs(): ApiDocsState {
  const state = use(ApiDocsContext);
  if (!state) throw new Error('useApiDocs must be used within the screen');
  return state;
}

/** The viewer's current workspace; undefined for people who are not signed in, and while it is closed. */
export function useOpenWorkspace() {
  const id = useRememberedWorkspaceId();
  return useWorkspaces().find((workspace) => workspace.id === id && !isClosed(workspace));
}
