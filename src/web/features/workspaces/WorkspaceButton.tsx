import { UnstyledButton, VisuallyHidden } from '@mantine/core';
import { IconSelector } from '@tabler/icons-react';
import type { ComponentPropsWithRef } from 'react';
import type { Workspace } from '#contract/workspaces.ts';
import { pictureUrl } from '#web/api/picture-url.ts';
import { initialOf } from '#web/ui/initial.ts';
import prose from '#web/ui/prose.module.css';
import classes from './WorkspaceSwitcher.module.css';

type WorkspaceButtonProps = { workspace: Workspace } & ComponentPropsWithRef<'button'>;

export function WorkspaceButton({ workspace, ...button }: WorkspaceButtonProps) {
  return (
    <UnstyledButton {...button} className={classes.target}>
      <WorkspaceMark workspace={workspace} />
      <VisuallyHidden>Workspace: </VisuallyHidden>
      <span className={prose.oneLine} title={workspace.name}>
        {workspace.name}
      </span>
      <IconSelector size={16} aria-hidden />
    </UnstyledButton>
  );
}

/** The picture of a workspace, or the first letter of its name on a tile. */
export function WorkspaceMark({ workspace: { id, name, avatar_url } }: { workspace: Workspace }) {
  const src = pictureUrl(avatar_url, id);
  return src === null ? (
    <span className={classes.mark} aria-hidden>
      {initialOf(name)}
    </span>
  ) : (
    <img className={classes.mark} src={src} alt="" />
  );
}
