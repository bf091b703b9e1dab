import { recipientText } from '#domain/erased-recipient.ts';
import { Box, Text, UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { type ChannelType, isAddressed } from '#contract/channel-types.ts';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
import prose from '#web/ui/prose.module.css';
import classes from './DeliveryLedger.module.css';

type RecipientButtonProps = {
  of: { channel: ChannelType; recipient: string; recipient_name: string | null; through: string | null };
  className: string | undefined;
  isOpen: boolean;
  onToggle: () => void;
  /** The id of the element that it expands. */
  controls: string;
  /** Content between the name and the chevron. */
  children?: ReactNode;
};

/** A recipient's line, which expands to the details. */
export const RecipientButton = ({ of, className, isOpen, onToggle, controls, children }: RecipientButtonProps) => (
  <UnstyledButton
    component="button"
    className={className}
    aria-expanded={isOpen}
    aria-controls={controls}
    onClick={onToggle}
  >
    <span className={classes.icon}>
      <ChannelIcon channel={of.channel} />
    </span>
    <span className={classes.who}>
      <Box component="span" fw={500} className={prose.breaks}>
        {of.recipient_name ?? recipientText(of.recipient)}
      </Box>
      {isAddressed(of.channel) && (of.recipient_name ?? of.through) && (
        <Text span fz="xs" c="dimmed" className={prose.breaks}>
          {[of.recipient_name && of.recipient, of.through].filter(Boolean).join(' · ')}
        </Text>
      )}
    </span>
    {children}
    <IconChevronDown className={classes.chevron} size={16} stroke={1.8} aria-hidden />
  </UnstyledButton>
);
