import { sql } from 'kysely';
import { mailStyleOf } from '#domain/mail-style.ts';
import type { MailSender } from '#domain/message-preview.ts';
import { brandOf } from '#domain/white-label.ts';
import type { TenantContext } from '#platform/context.ts';
import type { Db } from '#platform/database.ts';

/** How the workspace appears as the sender of mails. */
export async function mailSenderOf({
  db,
  workspaceId,
  billing = 'off',
}: Pick<TenantContext, 'db' | 'workspaceId' | 'billing'>): Promise<MailSender> {
  const row = await findMailSender(db, { workspaceId });
  return { companyName: row.company_name, brand: brandOf(row, { billing }), style: mailStyleOf(row) };
}

const findMailSender = (db: Db, { workspaceId }: { workspaceId: string }) =>
  db
    .selectFrom('workspaces')
    .where('id', '=', workspaceId)
    .select([
      'company_name',
      'avatar_url',
      'subscription_tier as tier',
      sql<string | null>`settings ->> 'mailColor'`.as('mail_color'),
      sql<string | null>`settings ->> 'postalLine'`.as('postal_line'),
    ])
    .executeTakeFirstOrThrow();
