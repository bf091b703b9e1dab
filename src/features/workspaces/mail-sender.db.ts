import { sql } from 'kysely';
import type { Db } from '#platform/database.ts';

export const findMailSender = (db: Db, { workspaceId }: { workspaceId: string }) =>
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
