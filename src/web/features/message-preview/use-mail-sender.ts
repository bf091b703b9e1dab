import { useQuery } from '@tanstack/react-query';
import { mailStyleOf } from '#domain/mail-style.ts';
import type { MailSender } from '#domain/message-preview.ts';
import { brandOf } from '#domain/white-label.ts';
import { configQuery } from '#web/api/config.ts';
import { useWorkspace } from '#web/features/workspaces/WorkspaceProvider.tsx';

/** What the workspace's mails show of their sender. */
export function useMailSender(): MailSender {
  const { workspace } = useWorkspace();
  const { data: config } = useQuery(configQuery);
  const { company_name: companyName, avatar_url, subscription_tier: tier, settings } = workspace;
  const textOf = (value: unknown) => (typeof value === 'string' ? value : null);
  return {
    companyName,
    brand: brandOf(
      { tier, company_name: companyName, avatar_url },
      { billing: config === undefined || config.billing === 'off' ? 'off' : 'on' },
    ),
    style: mailStyleOf({ mail_color: textOf(settings.mailColor), postal_line: textOf(settings.postalLine) }),
  };
}
