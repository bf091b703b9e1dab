import { Anchor, type AnchorProps, Button, type ButtonProps, Menu, type MenuItemProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

type LinkOf<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>;

/** A button that goes somewhere: `<ButtonLink to="/reminders/new">`, with all props of Mantine's Button. */
export const ButtonLink = createLink((props: LinkOf<ButtonProps>) => <Button component="a" {...props} />);

/** A link in text: `<TextLink to="/jobs">`, with all props of Mantine's Anchor. */
export const TextLink = createLink((props: LinkOf<AnchorProps>) => <Anchor {...props} />);

/** A menu item that goes somewhere. */
export const MenuItemLink = createLink((props: LinkOf<MenuItemProps>) => <Menu.Item component="a" {...props} />);
