import { mailStyleOf } from '#domain/mail-style.ts';
import type { MailSender } from '#domain/message-preview.ts';
import { brandOf } from '#domain/white-label.ts';
import { findMailSender } from '#features/workspaces/mail-sender.db.ts';
import type { TenantContext } from '#platform/context.ts';

/** What the workspace's mails show of their sender. */
export async function mailSenderOf({
  db,
  workspaceId,
  billing = 'off',
}: Pick<TenantContext, 'db' | 'workspaceId' | 'billing'>): Promise<MailSender> {
  const row = await findMailSender(db, { workspaceId });
  return { companyName: row.company_name, brand: brandOf(row, { billing }), style: mailStyleOf(row) };
}
