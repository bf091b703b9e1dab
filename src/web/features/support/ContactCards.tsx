import { Anchor, Card, Title } from '@mantine/core';
import { IconMail, IconMessages, IconPhone, type IconProps } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import type { ComponentType, ReactNode } from 'react';
import { dialedNumber } from '#domain/dialed-number.ts';
import { configQuery } from '#web/api/config.ts';
import { useSession } from '#web/api/session.ts';
import { isClosed, workspacesQuery } from '#web/api/workspaces.ts';
import { ToneBadge } from '#web/ui/StatusBadge.tsx';
import classes from './support.module.css';

/** By mail, by chat, by phone. */
export function ContactCards() {
  const config = useQuery(configQuery).data;
  const hasPhone = useHasPhoneSupport();
  const { support_email: email, support_phone: phone } = config ?? {};
  return (
    <div className={classes.contacts}>
      <Contact icon={IconMail} title="Email support" note="Response within 24 hours">
        {email ? <Anchor href={`mailto:${email}`}>{email}</Anchor> : 'Use the form below.'}
      </Contact>
      <Contact
        icon={IconMessages}
        title="Live chat"
        note="Mon-Fri 9 AM-6 PM PST"
        badge={<ToneBadge word="Coming Soon" tone="quiet" />}
      />
      <Contact icon={IconPhone} title="Phone support" note="Enterprise only">
        {hasPhone && phone && <Anchor href={`tel:${dialedNumber(phone)}`}>{phone}</Anchor>}
        {hasPhone && config !== undefined && !phone && 'This installation names no number.'}
        {!hasPhone && 'The number is shown here once a workspace of yours has the plan.'}
      </Contact>
    </div>
  );
}

type ContactProps = {
  icon: ComponentType<IconProps>;
  title: string;
  note: string;
  badge?: ReactNode;
  children?: ReactNode;
};

const Contact = ({ icon: Icon, title, note, badge, children }: ContactProps) => (
  <Card component="section" aria-label={title}>
    <div className={classes.contact}>
      <Icon size={20} aria-hidden />
      <Title order={2} size="h4">
        {title}
      </Title>
      {badge}
    </div>
    <p className={classes.quiet}>{note}</p>
    {children && <p className={classes.address}>{children}</p>}
  </Card>
);

/** Whether a workspace of who is signed in has the plan. */
function useHasPhoneSupport(): boolean {
  const session = useSession();
  const { data: workspaces = [] } = useQuery({ ...workspacesQuery, enabled: Boolean(session) });
  return workspaces.some(
    (workspace) =>
      workspace.subscription_tier === 'enterprise' &&
      workspace.subscription_status === 'active' &&
      !isClosed(workspace),
  );
}
