import { type BillingMode, billingModes } from '#contract/tiers.ts';
import { isIP } from 'node:net';
import { parseArgs } from 'node:util';
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { EmailInput } from '#contract/common.ts';
import { connectionBounds } from '#platform/connection-budget.ts';
import { DatabaseAddress } from '#platform/database-address.ts';
import type { KeySource } from '#platform/encryption-keys.ts';

const Flag = z.enum(['on', 'off'], 'must be on or off');
const portRange = 'must be a port from 0 to 65535';
const Port = z.coerce.number(portRange).int(portRange).min(0, portRange).max(65535, portRange);

const connectionRange = `must be a number from ${connectionBounds.least} to ${connectionBounds.most}`;

const passwordRange = 'must be a number from 6 to 64';

/** A valid URL with one of these schemes. */
const Address = (schemes: readonly string[]) =>
  z
    .string()
    .refine(
      (text) => schemes.some((scheme) => text.startsWith(`${scheme}://`)) && URL.canParse(text),
      `must be an address that starts with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
    );

const list = z
  .string()
  .transform((text) => text.split(',').map((part) => part.trim()))
  .transform((parts) => parts.filter((part) => part !== ''));

/** A list of networks (CIDR); a single address counts as a network of one. */
const Cidrs = (example: string) =>
  list
    .transform((parts) => parts.map((part) => (isIP(part) === 0 ? part : `${part}/${isIP(part) === 6 ? 128 : 32}`)))
    .pipe(z.array(z.string().refine(ipaddr.isValidCIDR, `must hold addresses or CIDRs such as ${example}`)))
    .default([]);

/** One line of text that is printed on a page. */
const Line = (most: number) =>
  z
    .string()
    .trim()
    .min(1, 'must not be blank')
    .max(most, `must be at most ${most} characters`)
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]*$/u, 'must be one line');

const StripePrice = z.string().startsWith('price_', 'must begin with price_').optional();

const stripeKeys = [
  'STRIPE_SECRET_KEY',
  'STRIPE_WEBHOOK_SECRET',
  'STRIPE_PRICE_BASIC',
  'STRIPE_PRICE_PREMIUM',
  'STRIPE_PRICE_ENTERPRISE',
] as const;

const logLevels = ['trace', 'debug', 'info', 'warn', 'error', 'silent'] as const;

/** Every environment variable with its description, which `--help` prints. */
const Environment = z.object({
  PORT: Port.default(3000).describe('port of the web server (3000)'),
  HOST: z.string().optional().describe('address to listen on (loopback, both families)'),
  APP_URL: Address(['http', 'https'])
    .optional()
    .describe('the address under which people reach it, such as https://cuebird.example.com'),
  DATABASE_URL: DatabaseAddress.optional().describe(
    'a PostgreSQL 17 or 18 of yours, as the owner of its database; several hosts as in postgres://a,b/db (embedded if unset)',
  ),
  DATABASE_STANDBY: z
    .enum(['asynchronous', 'synchronous'], 'must be asynchronous or synchronous')
    .default('asynchronous')
    .describe(
      'whether standbys of that database have every commit; if not, a promoted one pauses deliveries (asynchronous)',
    ),
  DATABASE_CONNECTIONS: z.coerce
    .number(connectionRange)
    .int(connectionRange)
    .min(connectionBounds.least, connectionRange)
    .max(connectionBounds.most, connectionRange)
    .default(connectionBounds.default)
    .describe(
      `most connections of a process to the database, ${connectionBounds.least} to ${connectionBounds.most} (${connectionBounds.default})`,
    ),
  DATA_DIR: z.string().min(1).default('.cuebird').describe('where the embedded database and keys live (.cuebird)'),
  SMTP_URL: Address(['smtp', 'smtps'])
    .optional()
    .describe(
      'the mail server used where a workspace has no channel of its own; with smtp:// and without STARTTLS, ?tls=off',
    ),
  MAIL_FROM: z
    .string()
    .min(3)
    .optional()
    .describe('sender of mail through SMTP_URL, such as "Cuebird <cuebird@example.com>"'),
  EMAIL_VERIFICATION: Flag.optional().describe('on or off (on once SMTP_URL is set)'),
  MIN_PASSWORD_LENGTH: z.coerce
    .number(passwordRange)
    .int(passwordRange)
    .min(6, passwordRange)
    .max(64, passwordRange)
    .default(6)
    .describe('least number of characters of a new password, 6 to 64 (6)'),
  GOOGLE_CLIENT_ID: z.string().min(1).optional().describe('for Continue with Google'),
  GOOGLE_CLIENT_SECRET: z.string().min(1).optional().describe('for Continue with Google'),
  ENCRYPTION_KEY: z
    .string()
    .min(32, 'must be at least 32 characters')
    .optional()
    .describe('seals secrets (a file in DATA_DIR if unset)'),
  OLDER_ENCRYPTION_KEYS: list
    .pipe(z.array(z.string().min(32, 'must hold keys of at least 32 characters')))
    .default([])
    .describe('comma-separated keys from before a rotation, the newest first'),
  BACKUP_PASSPHRASE: z
    .string()
    .min(16, 'must be at least 16 characters')
    .optional()
    .describe('encrypts backups, and opens them for a restore'),
  BACKUP_KEY_FILE: z.string().min(1).optional().describe('a file with such a passphrase, in place of the variable'),
  EGRESS_ALLOW: Cidrs('10.1.0.0/16').describe(
    'comma-separated private networks (CIDRs) or addresses that reminders may reach',
  ),
  ADMIN_EMAILS: list
    .pipe(z.array(EmailInput, 'must hold email addresses such as ann@example.com'))
    .default([])
    .describe('comma-separated addresses: whoever has confirmed one is an administrator of the installation'),
  SUPPORT_EMAIL: EmailInput.optional().describe(
    'the address that people write to, and to which support requests are mailed',
  ),
  SUPPORT_PHONE: Line(40)
    .regex(/^\+?[\d ().\-/]*\d$/, 'must be a number such as +1 415 555 0100')
    .optional()
    .describe('the number that people call for support'),
  OPERATOR_NAME: Line(200).optional().describe('who runs this installation, for the privacy page and the terms'),
  OPERATOR_ADDRESS: Line(500).optional().describe('their postal address, in one line'),
  TRUSTED_PROXIES: Cidrs('127.0.0.1/32').describe(
    'comma-separated addresses or networks (CIDRs) of your reverse proxies, whose X-Forwarded-For is trusted',
  ),
  SANDBOX: Flag.optional().describe(
    'on or off: catch mail and webhooks in the Inbox (on while neither DATABASE_URL nor SMTP_URL is set)',
  ),
  DEMO: Flag.optional().describe('on or off: create a demo workspace at the first start (on with the sandbox)'),
  BILLING: z
    .enum(billingModes, `must be one of ${billingModes.join(', ')}`)
    .optional()
    .describe('off, sandbox or stripe: whether plans limit what a workspace may send, and who takes the payments'),
  STRIPE_SECRET_KEY: z.string().min(1).optional().describe('the secret key of your Stripe account'),
  STRIPE_WEBHOOK_SECRET: z
    .string()
    .startsWith('whsec_', 'must begin with whsec_')
    .optional()
    .describe('the signing secret of the endpoint /api/billing/webhook at Stripe'),
  STRIPE_PRICE_BASIC: StripePrice.describe('the price of Basic at Stripe'),
  STRIPE_PRICE_PREMIUM: StripePrice.describe('the price of Premium at Stripe'),
  STRIPE_PRICE_ENTERPRISE: StripePrice.describe('the price of Enterprise at Stripe'),
  STRIPE_API: Address(['http', 'https']).optional().describe('another address in place of https://api.stripe.com'),
  METRICS_TOKEN: z
    .string()
    .min(16, 'must be at least 16 characters')
    .regex(/^\S*$/, 'must not contain blank space')
    .optional()
    .describe('the bearer token with which Prometheus reads /api/metrics (off if unset)'),
  LOG_LEVEL: z
    .enum(logLevels, `must be one of ${logLevels.join(', ')}`)
    .default('warn')
    .describe('how much is logged (warn)'),
});

type Values = z.output<typeof Environment>;

export type Role = 'web' | 'worker';

export type Config = Omit<Values, 'SANDBOX' | 'DEMO' | 'EMAIL_VERIFICATION' | 'BILLING'> & {
  sandbox: boolean;
  billing: BillingMode;
  demo: boolean;
  emailVerification: boolean;
  /** True when PORT was set: no other port is tried. */
  isPortFixed: boolean;
  roles: readonly Role[];
};

/** Where the configuration says that the encryption keys are. */
export const keySourceOf = (config: Config): KeySource => ({
  envKey: config.ENCRYPTION_KEY,
  envOlder: config.OLDER_ENCRYPTION_KEYS,
  dataDir: config.DATA_DIR,
});

/** The problems of the configuration, one line for each wrong value. */
export class ConfigError extends Error {
  readonly lines: readonly string[];
  constructor(lines: readonly string[]) {
    super(lines.join('\n'));
    this.lines = lines;
  }
}

/** Stripe needs all of its keys. Where BILLING is not set, their presence turns it on. */
function billingProblems(present: Record<string, string | undefined>): string[] {
  const missing = stripeKeys.filter((key) => present[key] === undefined);
  const isWanted =
    present.BILLING === 'stripe' || (present.BILLING === undefined && missing.length < stripeKeys.length);
  if (isWanted && missing.length > 0) return [`${missing.join(', ')} must be set for payments by Stripe`];
  // Payments of the sandbox are for trying Cuebird out: elsewhere everybody could take a plan and pay nothing.
  const isStandalone = present.DATABASE_URL === undefined && present.SMTP_URL === undefined;
  const hasSandbox = present.SANDBOX === undefined ? isStandalone : present.SANDBOX === 'on';
  return present.BILLING === 'sandbox' && !hasSandbox ? ['BILLING=sandbox needs SANDBOX=on'] : [];
}

/** Parses environment and flags once. Throws a ConfigError with one line per wrong value. */
export function parseConfig(env: Record<string, string | undefined>, argv: readonly string[]): Config {
  const present = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''));
  const parsed = Environment.safeParse(present);
  const lines = parsed.success ? [] : parsed.error.issues.map((issue) => describeIssue(issue, present));
  const roles = parseRoles(argv, lines);
  if ((present.GOOGLE_CLIENT_ID === undefined) !== (present.GOOGLE_CLIENT_SECRET === undefined))
    lines.push('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be set together');
  if (present.BACKUP_PASSPHRASE !== undefined && present.BACKUP_KEY_FILE !== undefined)
    lines.push('BACKUP_PASSPHRASE and BACKUP_KEY_FILE must not both be set');
  if (present.SMTP_URL !== undefined && present.MAIL_FROM === undefined)
    lines.push('MAIL_FROM must be set with SMTP_URL, for example "Cuebird <cuebird@example.com>"');
  lines.push(...billingProblems(present));
  if (!parsed.success || lines.length > 0) throw new ConfigError(lines);

  const { SANDBOX, DEMO, EMAIL_VERIFICATION, BILLING, ...values } = parsed.data;
  const isStandalone = values.DATABASE_URL === undefined && values.SMTP_URL === undefined;
  const sandbox = SANDBOX === undefined ? isStandalone : SANDBOX === 'on';
  return {
    ...values,
    sandbox,
    billing: BILLING ?? (values.STRIPE_SECRET_KEY !== undefined ? 'stripe' : sandbox ? 'sandbox' : 'off'),
    demo: DEMO === undefined ? sandbox : DEMO === 'on',
    emailVerification: EMAIL_VERIFICATION === undefined ? values.SMTP_URL !== undefined : EMAIL_VERIFICATION === 'on',
    isPortFixed: present.PORT !== undefined,
    roles,
  };
}

export function helpText(): string {
  const rows = Object.entries(Environment.shape).map(
    ([name, shape]) => `  ${name.padEnd(22)}${shape.description ?? ''}`,
  );
  return [
    'Cuebird: reminders for teams',
    '',
    'Usage:',
    '  npm start -- [--role web] [--role worker] [--help]',
    '  npm start -- pause [--begin]                        what would be sent, while deliveries are paused',
    '  npm start -- resume [--overdue by_rule|missed]      resume deliveries',
    '  npm run backup -- FILE                              the whole database in one file',
    '  npm run restore -- FILE [--with-another-key]        into an empty database',
    '  npm run rotate-key -- [--revoke]                    a new encryption key',
    '',
    'Environment:',
    ...rows,
  ].join('\n');
}

function describeIssue(issue: z.core.$ZodIssue, env: Record<string, string | undefined>): string {
  const name = String(issue.path[0]);
  const isSecret = /KEY|SECRET|TOKEN|PASSPHRASE|_URL/.test(name);
  return `${name}${isSecret ? '' : `=${env[name] ?? ''}`}: ${issue.message}`;
}

function parseRoles(argv: readonly string[], lines: string[]): readonly Role[] {
  const roles: Role[] = [];
  try {
    const { values } = parseArgs({
      args: [...argv],
      options: { role: { type: 'string', multiple: true }, help: { type: 'boolean' } },
    });
    for (const role of values.role ?? []) {
      if (role === 'web' || role === 'worker') roles.push(role);
      else lines.push(`--role ${role}: must be web or worker`);
    }
  } catch (error) {
    lines.push(error instanceof Error ? error.message : String(error));
  }
  return roles.length === 0 ? ['web', 'worker'] : roles;
}
