import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import type { ComponentPropsWithRef } from 'react';
import type { Workspace } from '#contract/workspaces.ts';
import { initialOf } from '#web/ui/initial.ts';
import classes from './WorkspaceSwitcher.module.css';

type WorkspaceButtonProps = { workspace: Workspace } & ComponentPropsWithRef<'button'>;

export function WorkspaceButton({ workspace, ...button }: WorkspaceButtonProps) {
  return (
    <UnstyledButton {...button} className={classes.target}>
      <WorkspaceMark name={workspace.name} />
      <VisuallyHidden>Workspace: </VisuallyHidden>
      <span className={classes.name} title={workspace.name}>
        {workspace.name}
      </span>
      <IconSelector size={16} aria-hidden />
    </UnstyledButton>
  );
}

/** The first letter of a workspace's name on a tile. */
export function WorkspaceMark({ name }: { name: string }) {
  return (
    <span className={classes.mark} aria-hidden>
      {initialOf(name)}
    </span>
  );
}
