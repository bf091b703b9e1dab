import { Box, Button, Skeleton } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { usePushBrowsers } from '#web/api/push.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';
import prose from '#web/ui/prose.module.css';
import { useEver } from '#web/ui/use-ever.ts';
import classes from './push.module.css';
import { reachText } from './reach-text.ts';

const PushDialog = lazy(() => import('./PushDialog.tsx'));

/** Whom the channel Push reaches, and the way to be one of them. */
export default function PushBrowsers() {
  const { data: found, isPending, isFetching, refetch } = usePushBrowsers();
  const { workspace } = useWorkspace();
  const [isOpen, { open, close }] = useDisclosure(false);
  const isWanted = useEver(isOpen);
  if (isPending) return <Skeleton height={36} role="status" aria-label="Loading whom push reaches" />;
  if (found === undefined)
    return (
      <div className={classes.reach} role="alert">
        <Box component="span" className={prose.breaks} flex="1 1 200px" miw={0}>
          Whom push reaches could not be loaded.
        </Box>
        <Button variant="default" size="sm" loading={isFetching} onClick={() => void refetch()}>
          Retry
        </Button>
      </div>
    );
  return (
    <div className={classes.reach} data-nobody={found.browsers === 0 || undefined}>
      <Box component="span" className={prose.breaks} flex="1 1 200px" miw={0}>
        {reachText(found)}
      </Box>
      <Button variant="default" size="sm" onClick={open}>
        {found.here === null ? 'Turn on in this browser' : 'Your browsers'}
      </Button>
      {isWanted && (
        <Suspense>
          <PushDialog workspace={workspace} opened={isOpen} onClose={close} />
        </Suspense>
      )}
    </div>
  );
}
