import { createContext, use } from 'react';
import { useRememberedWorkspaceId } from '#web/api/current-workspace.ts';
import { isClosed } from '#web/api/workspaces.ts';
import { useWorkspaces } from '#web/features/workspaces/WorkspaceProvider.tsx';
import type { Language } from './request-code.ts';

type ApiDocsState = {
  language: Language;
  setLanguage: (language: Language) => void;
  /** The API key that requests are sent with. It is kept here alone: whoever leaves the screen leaves it behind. */
  apiKey: string;
  setApiKey: (key: string) => void;
};

export const ApiDocsContext = createContext<ApiDocsState | null>(null);

export function useApiDocs(): ApiDocsState {
  const state = use(ApiDocsContext);
  if (!state) throw new Error('useApiDocs must be used within the screen');
  return state;
}

/** The current workspace of who is signed in; undefined for everybody else, and where it is closed. */
export function useOpenWorkspace() {
  const id = useRememberedWorkspaceId();
  return useWorkspaces().find((workspace) => workspace.id === id && !isClosed(workspace));
}
