import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

export type LinkOf<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>;

/** A button that goes somewhere: `<ButtonLink to="/reminders/new">`, with all props of Mantine's Button. */
export const ButtonLink = createLink((props: LinkOf<ButtonProps>) => <Button component="a" {...props} />);

/** A link in text: `<TextLink to="/jobs">`, with all props of Mantine's Anchor. */
export const TextLink = createLink((props: LinkOf<AnchorProps>) => <Anchor {...props} />);
