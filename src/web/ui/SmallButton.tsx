import { Button, type ButtonProps } from '@mantine/core';
import type { IconProps } from '@tabler/icons-react';
import type { ComponentPropsWithoutRef, ComponentType } from 'react';

type SmallButtonProps = Omit<ButtonProps, 'leftSection'> &
  Omit<ComponentPropsWithoutRef<'button'>, keyof ButtonProps> & { icon: ComponentType<IconProps> };

/** A button of a card, a row or a selection, with an icon before its word. */
export const SmallButton = ({ icon: Icon, ...button }: SmallButtonProps) => (
  <Button size="compact-sm" variant="default" leftSection={<Icon size={14} aria-hidden />} {...button} />
);
