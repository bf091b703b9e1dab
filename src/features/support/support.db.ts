import { type Kysely, sql } from 'kysely';
import type {
  OwnSupportRequest,
  SupportCategory,
  SupportRequest,
  SupportRequestInput,
  WholeSupportRequest,
} from '#contract/support.ts';
import type { Position } from '#platform/cursor.ts';
import { type Listed, readPage } from '#platform/page.ts';
import type { Schema } from '#platform/schema.ts';

/** Connected as the role cuebird_auth. */
export type SupportDb = Kysely<Schema>;

type Asked = Pick<SupportRequestInput, 'email' | 'subject' | 'message'> & { category: SupportCategory };

export async function insertRequest(
  db: SupportDb,
  { email, category, subject, message, now }: Asked & { now: Temporal.Instant },
): Promise<{ id: string; number: number }> {
  const { rows } = await sql<{ id: string; number: number }>`
    insert into support_requests (email, category, subject, message, created_at)
    values (${email}, ${category}, ${subject}, ${message}, ${now.toString()}) returning id, number`.execute(db);
  const [row] = rows;
  if (row === undefined) throw new Error('an insert answered no row');
  return row;
}

export const markMailed = (db: SupportDb, { id, now }: { id: string; now: Temporal.Instant }) =>
  sql`update support_requests set mailed_at = ${now.toString()} where id = ${id}`.execute(db);

const columns = sql`
  r.id, r.number, r.email, r.category, r.subject, r.created_at, r.mailed_at, r.closed_at,
  (select max(a.created_at) from support_answers a where a.request_id = r.id) as answered_at`;

export const findRequests = (
  db: SupportDb,
  { isClosed, after, limit }: { isClosed: boolean; after: Position | null; limit: number },
): Promise<Listed<SupportRequest>> =>
  readPage(db, {
    query: sql<SupportRequest>`(
      select ${columns} from support_requests r
       where (r.closed_at is not null) = ${isClosed}
         and (${after?.id ?? null}::uuid is null or r.id < ${after?.id ?? null}::uuid)
       order by r.id desc limit ${limit + 1})`,
    limit,
    large: ['subject'],
  });

export async function findRequest(db: SupportDb, id: string): Promise<WholeSupportRequest | undefined> {
  const { rows } = await sql<Omit<WholeSupportRequest, 'answers'>>`
    select ${columns}, r.message from support_requests r where r.id = ${id}`.execute(db);
  const [request] = rows;
  if (request === undefined) return undefined;
  const { rows: answers } = await sql<WholeSupportRequest['answers'][number]>`
    select id, author, message, created_at from support_answers
     where request_id = ${id} order by id desc limit 100`.execute(db);
  return { ...request, answers: answers.toReversed() };
}

/** The requests from a confirmed address, newest first. An unconfirmed one may be somebody else's, and a demo's is nobody's. */
export async function findRequestsOf(
  db: SupportDb,
  { userId, most }: { userId: string; most: number },
): Promise<OwnSupportRequest[]> {
  const { rows } = await sql<OwnSupportRequest>`
    select r.number, r.category, r.subject, r.message, r.created_at, r.closed_at,
           coalesce((select jsonb_agg(jsonb_build_object('message', a.message, 'created_at', instant_text(a.created_at)) order by a.id)
                       from support_answers a where a.request_id = r.id), '[]') as answers
      from profiles p join support_requests r on r.email = p.email
     where p.id = ${userId} and p.email_verified and not p.is_demo order by r.id desc limit ${most}`.execute(db);
  return rows;
}

export async function insertAnswer(
  db: SupportDb,
  { id, authorId, message, now }: { id: string; authorId: string; message: string; now: Temporal.Instant },
): Promise<void> {
  await sql`
    insert into support_answers (request_id, author, message, created_at)
    select ${id}, coalesce(nullif(full_name, ''), email), ${message}, ${now.toString()} from profiles where id = ${authorId}`.execute(
    db,
  );
}

/** Closes or reopens a request. Returns whether that changed anything. */
export async function setClosed(
  db: SupportDb,
  { id, isClosed, now }: { id: string; isClosed: boolean; now: Temporal.Instant },
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    update support_requests set closed_at = ${isClosed ? now.toString() : null}
     where id = ${id} and (closed_at is null) = ${isClosed}`.execute(db);
  return numAffectedRows === 1n;
}
