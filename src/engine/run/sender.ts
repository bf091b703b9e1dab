import type { Billing } from '#contract/plans.ts';
import { type MailStyle, mailStyleOf, plainStyle, type StoredMailStyle } from '#domain/mail-style.ts';
import { type Brand, brandOf } from '#domain/white-label.ts';
import type { SealedSigning } from '#platform/signing.ts';

/** What messages show of the workspace that sends them. All of its runs in one claim share it. */
export type Sender = {
  companyName: string;
  /** What recipients of mails see of the sender, where the plan includes it. */
  brand: Brand | null;
  mailStyle: MailStyle;
  /** The sealed secrets that sign the workspace's webhooks; null where there are none. */
  signing: SealedSigning | null;
  /** True for a demo, whose messages go into the sandbox only. */
  isDemo: boolean;
  /** True when an SMS or chat message that may have arrived is not to be sent again. */
  prefersMiss: boolean;
};

type Workspace = Parameters<typeof brandOf>[0] &
  StoredMailStyle & { signing: SealedSigning | null; is_demo: boolean; prefers_miss: boolean };

export const senderOf = (workspace: Workspace, { billing }: { billing: Billing }): Sender => ({
  companyName: workspace.company_name,
  brand: brandOf(workspace, { billing }),
  mailStyle: mailStyleOf(workspace),
  signing: workspace.signing,
  isDemo: workspace.is_demo,
  prefersMiss: workspace.prefers_miss,
});

/** The sender of a workspace that was deleted: its jobs are refused. */
export const deletedSender: Sender = {
  companyName: '',
  brand: null,
  mailStyle: plainStyle,
  signing: null,
  isDemo: false,
  prefersMiss: false,
};
