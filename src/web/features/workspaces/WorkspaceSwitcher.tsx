import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { WorkspaceButton } from './WorkspaceButton.tsx';
import { useWorkspace } from './WorkspaceProvider.tsx';

const loadMenu = () => import('./WorkspaceMenu.tsx');
const WorkspaceMenu = lazy(loadMenu);

/** Shows the current workspace; the list of all loads on hover or focus. */
export function WorkspaceSwitcher() {
  const { workspace } = useWorkspace();
  const [isWanted, { open }] = useDisclosure(false);
  const button = (
    <WorkspaceButton
      workspace={workspace}
      aria-haspopup="listbox"
      aria-expanded={false}
      onPointerEnter={loadMenu}
      onFocus={loadMenu}
      onClick={open}
    />
  );
  return isWanted ? (
    <Suspense fallback={button}>
      <WorkspaceMenu />
    </Suspense>
  ) : (
    button
  );
}
