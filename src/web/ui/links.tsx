import { Anchor, type AnchorProps, Button, type ButtonProps } from '@mantine/core';
import { createLink } from '@tanstack/react-router';
import type { ComponentPropsWithRef } from 'react';

export type LinkOf<Props> = Props & Omit<ComponentPropsWithRef<'a'>, keyof Props>;

// Neither says where one is, as the links of the bar do: the router takes a Cancel that leads to /reminders for the
// current page on every page below it.

/** A button that goes somewhere: `<ButtonLink to="/reminders/new">`, with all props of Mantine's Button. */
export const ButtonLink = createLink(({ 'aria-current': _, ...props }: LinkOf<ButtonProps>) => (
  <Button component="a" {...props} />
));

/** A link in text: `<TextLink to="/jobs">`, with all props of Mantine's Anchor. */
export const TextLink = createLink(({ 'aria-current': _, ...props }: LinkOf<AnchorProps>) => <Anchor {...props} />);
