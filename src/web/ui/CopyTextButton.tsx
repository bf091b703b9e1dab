import { Button, type ButtonProps } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

type CopyTextButtonProps = Pick<ButtonProps, 'size' | 'color' | 'variant'> & {
  text: string;
  label?: string;
  'aria-label'?: string;
  'data-autofocus'?: boolean;
};

/** Copies a text, and says so for two seconds. */
export function CopyTextButton({ text, label = 'Copy', variant = 'default', ...button }: CopyTextButtonProps) {
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  const Icon = copied ? IconCheck : IconCopy;
  const icon = <Icon size={button.size === 'compact-sm' ? 14 : 16} aria-hidden />;
  return (
    <Button variant={variant} leftSection={icon} onClick={() => copy(text)} {...button}>
      {copied ? 'Copied' : label}
    </Button>
  );
}
