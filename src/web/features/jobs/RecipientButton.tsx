import { UnstyledButton } from '@mantine/core';
import { IconChevronDown } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import type { ChannelType } from '#contract/channel-types.ts';
import { ChannelIcon } from '#web/ui/ChannelIcon.tsx';
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
      <span className={classes.name}>{of.recipient_name ?? of.recipient}</span>
      {(of.recipient_name ?? of.through) && (
        <span className={classes.address}>
          {[of.recipient_name && of.recipient, of.through].filter(Boolean).join(' · ')}
        </span>
      )}
    </span>
    {children}
    <IconChevronDown className={classes.chevron} size={16} stroke={1.8} aria-hidden />
  </UnstyledButton>
);
