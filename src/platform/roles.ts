import { createHash, createHmac } from 'node:crypto';
import { type Client, DatabaseError, escapeIdentifier } from 'pg';

const databaseRoles = ['app', 'engine', 'auth'] as const;
export type DatabaseRole = (typeof databaseRoles)[number];

/** The group of a role: rights are granted to it, and policies name it. */
export const groupOf = (role: DatabaseRole) => `cuebird_${role}`;

/** Login names contain a hash of the key, so that two installations can share one PostgreSQL server. */
export const loginOf = (role: DatabaseRole, encryptionKey: string) =>
  `cuebird_${role}_${createHash('sha256').update(`login:${encryptionKey}`).digest('hex').slice(0, 8)}`;

const passwordOf = (role: DatabaseRole, encryptionKey: string) =>
  createHmac('sha256', encryptionKey).update(`database role ${role}`).digest('base64url');

/** The database URL with a role's login in place of the owner's. */
export function urlForRole(
  ownerUrl: string,
  { role, encryptionKey }: { role: DatabaseRole; encryptionKey: string },
): string {
  const url = new URL(ownerUrl);
  url.username = loginOf(role, encryptionKey);
  url.password = passwordOf(role, encryptionKey);
  return url.toString();
}

/** The database lacks roles that this login may not create; `statements` are for its administrator. */
export class RolesMissing extends Error {
  constructor(statements: readonly string[]) {
    super(
      ['The database user may not create roles. Ask an administrator of the server to run:', ...statements].join('\n'),
    );
  }
}

/** Creates or repairs the groups and logins. Throws RolesMissing when this user may not. */
export async function ensureRoles(owner: Client, encryptionKey: string): Promise<void> {
  const statements: string[] = [];
  for (const role of databaseRoles) {
    const login = loginOf(role, encryptionKey);
    const group = await hasRole(owner, groupOf(role));
    const existing = await hasRole(owner, login);
    const isMember = existing && group && (await belongsTo(owner, { login, group: groupOf(role) }));
    if (!group) statements.push(`create role ${groupOf(role)} nologin;`);
    if (!existing) statements.push(`create role ${login} login password '${passwordOf(role, encryptionKey)}';`);
    if (!isMember) statements.push(`grant ${groupOf(role)} to ${login};`);
  }
  for (const [done, statement] of statements.entries()) {
    try {
      await owner.query(statement);
    } catch (error) {
      const code = error instanceof DatabaseError ? (error.code ?? '') : '';
      if (code === insufficientPrivilege) throw new RolesMissing(statements.slice(done));
      // Another installation on this server created the role first: all share the groups.
      if (!alreadyThere.includes(code)) throw error;
    }
  }
}

/**
 * Groups are common to a server's databases, so that membership would open every Cuebird there: only this
 * installation's logins may connect to its database. Left as it is where the database belongs to another owner.
 */
export async function closeToOthers(owner: Client, encryptionKey: string): Promise<void> {
  const { rows } = await owner.query<{ name: string }>(
    "select current_database() as name from pg_database where datname = current_database() and pg_has_role(datdba, 'member')",
  );
  const [database] = rows;
  if (database === undefined) return;
  const name = escapeIdentifier(database.name);
  const logins = databaseRoles.map((role) => loginOf(role, encryptionKey)).join(', ');
  await owner.query(`grant connect on database ${name} to ${logins}`);
  await owner.query(`revoke connect, temporary on database ${name} from public`);
}

/** How many connections to this database use the logins made from a key. */
export async function countConnections(owner: Client, encryptionKey: string): Promise<number> {
  const { rows } = await owner.query<{ count: number }>(
    'select count(*)::int as count from pg_stat_activity where datname = current_database() and usename = any ($1::text[])',
    [loginsOf(encryptionKey)],
  );
  return rows[0]?.count ?? 0;
}

/** Whether the server knows any login made from a key. */
export async function hasLogins(owner: Client, encryptionKey: string): Promise<boolean> {
  const { rowCount } = await owner.query('select from pg_roles where rolname = any ($1::text[])', [
    loginsOf(encryptionKey),
  ]);
  return rowCount !== 0;
}

/**
 * Ends the connections of a key's logins and removes them. A login that another database of the server knows too is kept there:
 * an installation with the same key uses it.
 * @returns the statements that this user may not run, for an administrator of the server
 */
export async function dropLogins(owner: Client, encryptionKey: string): Promise<string[]> {
  const refused: string[] = [];
  for (const login of loginsOf(encryptionKey)) {
    if (!(await hasRole(owner, login))) continue;
    const isShared = await isUsedElsewhere(owner, login);
    const database = await databaseName(owner);
    const statements = [
      ...(isShared ? [] : [`alter role ${login} nologin`]),
      `revoke all on database ${escapeIdentifier(database)} from ${login}`,
      // Needed to end its connections: only members of a role may.
      ...(isShared ? [] : [`grant ${login} to current_user`]),
      `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and usename = '${login}'`,
      ...(isShared ? [] : [`drop role ${login}`]),
    ];
    for (const statement of statements) {
      try {
        await owner.query(statement);
      } catch (error) {
        if (!(error instanceof DatabaseError) || error.code !== insufficientPrivilege) throw error;
        if (!statement.startsWith('grant')) refused.push(`${statement};`);
      }
    }
  }
  return refused;
}

const loginsOf = (encryptionKey: string) => databaseRoles.map((role) => loginOf(role, encryptionKey));

async function isUsedElsewhere(owner: Client, login: string): Promise<boolean> {
  const { rowCount } = await owner.query(
    `select from pg_shdepend s
       join pg_database here on here.datname = current_database()
      where s.refclassid = 'pg_authid'::regclass and s.refobjid = (select oid from pg_roles where rolname = $1)
        and case when s.classid = 'pg_database'::regclass then s.objid else s.dbid end not in (0, here.oid)
      limit 1`,
    [login],
  );
  return rowCount !== 0;
}

async function databaseName(owner: Client): Promise<string> {
  const { rows } = await owner.query<{ name: string }>('select current_database() as name');
  return rows[0]?.name ?? '';
}

const insufficientPrivilege = '42501';
const alreadyThere = ['42710', '23505'];

async function hasRole(owner: Client, name: string): Promise<boolean> {
  const { rowCount } = await owner.query('select from pg_roles where rolname = $1', [name]);
  return rowCount === 1;
}

async function belongsTo(owner: Client, { login, group }: { login: string; group: string }): Promise<boolean> {
  const { rows } = await owner.query<{ is_member: boolean }>("select pg_has_role($1, $2, 'member') as is_member", [
    login,
    group,
  ]);
  return rows[0]?.is_member === true;
}
