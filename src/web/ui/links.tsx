import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

export type LinkOf<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>;

// The links drop `aria-current`: the router would mark a Cancel link to /reminders as the current page on every page
// below it.

/** A button as a link: `<ButtonLink to="/reminders/new">`, with all props of Mantine's Button. */
export const ButtonLink = createLink(({ 'aria-current': _, ...props }: LinkOf<ButtonProps>) => (
  <Button component="a" {...props} />
));

/** A link in text: `<TextLink to="/jobs">`, with all props of Mantine's Anchor. */
export const TextLink = createLink(({ 'aria-current': _, ...props }: LinkOf<AnchorProps>) => <Anchor {...props} />);
