import type { DBAdapter, DBTransactionAdapter, Where } from '@better-auth/core/db/adapter';
import { APIError, BASE_ERROR_CODES } from '@better-auth/core/error';
import { kyselyAdapter } from '@better-auth/kysely-adapter';
import type { BetterAuthOptions } from 'better-auth';
import { Kysely, PostgresDialect } from 'kysely';
import pg from 'pg';
import { isDuplicate } from '#platform/is-duplicate.ts';
import type { Schema } from '#platform/schema.ts';
import { hashOfToken } from '#platform/token-hash.ts';

/** The person to whom a session was refused, and the address that it would have had. */
type RefusedSession = { userId: string; clientAddress: string | null };

type AdapterEvents = { onSuspended: (refused: RefusedSession) => Promise<void> };

/**
 * better-auth's own adapter on PostgreSQL, with three differences: session tokens are stored as hashes, so that reading
 * the table is not enough to sign in; an existing account is reported as such in any race; and so is a suspended person.
 */
export function createAuthAdapter(pool: pg.Pool, events: AdapterEvents): (options: BetterAuthOptions) => DBAdapter {
  const db = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
  const adapterOf = kyselyAdapter(db, { type: 'postgres', transaction: true });
  return (options) => {
    const adapter = adapterOf(options);
    return {
      ...adapter,
      ...guarded(adapter, events),
      transaction: (work) => adapter.transaction((tx) => work(guarded(tx, events))),
    };
  };
}

export const alreadyRegistered = () =>
  APIError.from('UNPROCESSABLE_ENTITY', BASE_ERROR_CODES.USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL);

/** The refusal of a suspended person, however they try to sign in. */
export const accountSuspended = {
  code: 'ACCOUNT_SUSPENDED',
  message: 'This account is suspended. Ask an administrator of this installation to lift the suspension.',
};

// A method that is not wrapped here looks for a plain token and finds nothing: it fails closed.
function guarded(adapter: DBTransactionAdapter, events: AdapterEvents): DBTransactionAdapter {
  return {
    ...adapter,
    create: async <T extends object, R = T>(query: CreateQuery<T>) => {
      try {
        const token = query.model === 'session' && 'token' in query.data ? String(query.data.token) : null;
        if (token === null) return await adapter.create<T, R>(query);
        const row = await adapter.create<T, R>({ ...query, data: { ...query.data, token: hashOfToken(token) } });
        return withToken(row, [token]);
      } catch (error) {
        if (query.model === 'user' && isDuplicate(error)) throw alreadyRegistered();
        if (query.model === 'session' && isOfSuspended(error)) {
          await events.onSuspended(refusedIn(query.data));
          throw suspended();
        }
        // Two requests set a second factor up at once.
        if (query.model === 'twoFactor' && isDuplicate(error)) throw new APIError('CONFLICT', { message: 'Try again' });
        throw error;
      }
    },
    findOne: async (query) => withToken(await adapter.findOne(hashed(query)), tokensOf(query)),
    findMany: async <T>(query: Parameters<DBAdapter['findMany']>[0]) => {
      const rows = await adapter.findMany<T>(hashed(query));
      return rows.map((row) => withToken(row, tokensOf(query)));
    },
    update: async (query) => withToken(await adapter.update(hashed(query)), tokensOf(query)),
    delete: (query) => adapter.delete(hashed(query)),
    deleteMany: (query) => adapter.deleteMany(hashed(query)),
  };
}

/** Every way to sign in creates a session, which the database refuses a suspended person with this code. */
const isOfSuspended = (error: unknown) => error instanceof pg.DatabaseError && error.code === 'CB001';

const refusedIn = (data: object): RefusedSession => ({
  userId: 'userId' in data ? String(data.userId) : '',
  clientAddress: 'ipAddress' in data && typeof data.ipAddress === 'string' ? data.ipAddress : null,
});

const suspended = () => APIError.from('FORBIDDEN', accountSuspended);

type CreateQuery<T> = {
  model: string;
  data: Omit<T, 'id'>;
  select?: string[] | undefined;
  forceAllowId?: boolean | undefined;
};

type Query = { model: string; where?: Where[] | undefined };

const isByToken = (query: Query, { field }: Where) => query.model === 'session' && field === 'token';

const hashed = <Q extends Query>(query: Q): Q => ({
  ...query,
  ...(query.where && { where: query.where.map((w) => (isByToken(query, w) ? { ...w, value: hashAll(w.value) } : w)) }),
});

function hashAll(value: Where['value']): Where['value'] {
  if (typeof value === 'string') return hashOfToken(value);
  return Array.isArray(value) ? value.map((one) => hashOfToken(String(one))) : value;
}

/** The plain tokens that a query names. */
const tokensOf = (query: Query): string[] =>
  (query.where ?? [])
    .filter((w) => isByToken(query, w))
    .flatMap(({ value }) => (Array.isArray(value) ? value.map(String) : String(value)));

/** Puts the plain token back into the row, for better-auth, which writes the cookie from it. */
function withToken<R>(row: R, tokens: readonly string[]): R {
  if (typeof row === 'object' && row !== null && 'token' in row) {
    const plain = tokens.find((token) => hashOfToken(token) === row.token);
    if (plain !== undefined) row.token = plain;
  }
  return row;
}
