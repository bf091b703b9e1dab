import { Box, Flex, SimpleGrid, Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { createContext, lazy, type ReactNode, Suspense, use, useEffect, useLayoutEffect, useRef } from 'react';
import type { Workspace } from '#contract/workspaces.ts';
import { rememberWorkspace, useRememberedWorkspaceId } from '#web/api/current-workspace.ts';
import type { SessionUser } from '#web/api/session.ts';
import { currentAmong, workspacesQuery } from '#web/api/workspaces.ts';
import { CardSkeleton } from '#web/ui/CardSkeleton.tsx';
import { ErrorState } from '#web/ui/ErrorState.tsx';
import { Logo } from '#web/ui/Logo.tsx';
import { notifyAnswer } from '#web/ui/notify.tsx';
import { useErrorToast } from '#web/ui/use-error-toast.ts';
import prose from '#web/ui/prose.module.css';

const FirstWorkspace = lazy(() => import('./FirstWorkspace.tsx'));

type CurrentWorkspace = { workspace: Workspace; workspaces: Workspace[] };

const WorkspaceContext = createContext<CurrentWorkspace | null>(null);

/** The current workspace (with the user's role in it) and all others. */
export function useWorkspace(): CurrentWorkspace {
  const current = use(WorkspaceContext);
  if (!current) throw new Error('useWorkspace must be used within a WorkspaceProvider');
  return current;
}

/** The user's workspaces, also where there is none and so no current one. */
export const useWorkspaces = (): readonly Workspace[] => use(WorkspaceContext)?.workspaces ?? [];

/** Says which workspaces the user has lost since the list was last read. */
function useLossToast(workspaces: Workspace[] | undefined): void {
  const before = useRef(workspaces);
  useEffect(() => {
    if (!workspaces) return;
    const lost = before.current?.filter(({ id }) => !workspaces.some((kept) => kept.id === id)) ?? [];
    for (const { name } of lost) notifyAnswer('Access ended', `You are no longer a member of ${name}.`);
    before.current = workspaces;
  }, [workspaces]);
}

/** Renders its children once a workspace is current: the one that this browser remembers, else the first. */
export function WorkspaceProvider({ user, children }: { user: SessionUser; children: ReactNode }) {
  const { data: workspaces, error, refetch, isFetching } = useQuery(workspacesQuery);
  const rememberedId = useRememberedWorkspaceId();
  const workspace = workspaces && currentAmong(workspaces, rememberedId);

  useErrorToast(error, { title: 'Error loading workspaces' });
  useLossToast(workspaces);
  useLayoutEffect(() => {
    if (workspace && workspace.id !== rememberedId) rememberWorkspace(workspace.id);
  }, [workspace, rememberedId]);

  if (!workspaces && error) {
    return (
      <main>
        <ErrorState title="Error loading workspaces" of={{ error, refetch, isFetching }} />
      </main>
    );
  }
  if (workspaces?.length === 0) {
    return (
      <Suspense fallback={<ShellSkeleton />}>
        <FirstWorkspace user={user} />
      </Suspense>
    );
  }
  // Requests name the remembered workspace, so nothing below may send one before it is correct.
  if (!workspaces || !workspace || workspace.id !== rememberedId) return <ShellSkeleton />;
  return <WorkspaceContext value={{ workspace, workspaces }}>{children}</WorkspaceContext>;
}

/** The frame of a signed-in screen while the workspaces load. */
function ShellSkeleton() {
  return (
    <div aria-busy aria-label="Loading" role="status">
      <Flex
        gap={16}
        align="center"
        h="var(--bar-height)"
        px={24}
        bg="var(--mantine-color-body)"
        className={prose.lineBelow}
      >
        <Logo withName />
        <Skeleton width={160} height={32} ml="auto" />
        <Skeleton circle height={32} />
      </Flex>
      <Box maw="calc(var(--content-width) + 48px)" mx="auto" px={24} py={32}>
        <Skeleton width={200} height={28} mb={32} />
        <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
          <CardSkeleton />
          <CardSkeleton />
          <CardSkeleton />
          <CardSkeleton />
        </SimpleGrid>
      </Box>
    </div>
  );
}
