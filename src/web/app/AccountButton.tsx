import { Avatar, UnstyledButton } from '@mantine/core';
import type { ComponentPropsWithRef } from 'react';
import { rememberedWorkspaceId } from '#web/api/current-workspace.ts';
import { pictureUrl } from '#web/api/picture-url.ts';
import type { SessionUser } from '#web/api/session.ts';
import { initialOf } from '#web/ui/initial.ts';
import classes from './UserMenu.module.css';

type AccountButtonProps = { user: SessionUser } & ComponentPropsWithRef<'button'>;

/** The user's picture, or the first letter of the name or email. */
export function AccountButton({ user, ...button }: AccountButtonProps) {
  return (
    <UnstyledButton {...button} className={classes.target} aria-label="Your account">
      <Avatar src={pictureUrl(user.image, rememberedWorkspaceId())} alt="" size={32} radius="xl" color="cue">
        {initialOf(user.name || user.email)}
      </Avatar>
    </UnstyledButton>
  );
}
