import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ConfigError, helpText, parseConfig } from '#platform/config.ts';

type Environment = Record<string, string>;

function linesOf(env: Environment, argv: string[] = []): readonly string[] {
  try {
    parseConfig(env, argv);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.lines;
    throw error;
  }
}

describe('the configuration', () => {
  it('needs nothing: an empty environment is a sandbox on port 3000 with its own database', () => {
    expect(parseConfig({}, [])).toMatchObject({
      PORT: 3000,
      isPortFixed: false,
      DATA_DIR: '.cuebird',
      sandbox: true,
      demo: true,
      emailVerification: false,
      roles: ['web', 'worker'],
      EGRESS_ALLOW: [],
      TRUSTED_PROXIES: [],
      ADMIN_EMAILS: [],
    });
  });

  it('takes a standby for asynchronous, unless it is said to be synchronous', () => {
    expect(parseConfig({}, []).DATABASE_CONNECTIONS).toBe(44);
    expect(parseConfig({ DATABASE_CONNECTIONS: '24' }, []).DATABASE_CONNECTIONS).toBe(24);
    expect(() => parseConfig({ DATABASE_CONNECTIONS: '23' }, [])).toThrow('must be a number from 24 to 400');
    expect(parseConfig({}, []).DATABASE_STANDBY).toBe('asynchronous');
    expect(parseConfig({ DATABASE_STANDBY: 'synchronous' }, []).DATABASE_STANDBY).toBe('synchronous');
    expect(() => parseConfig({ DATABASE_STANDBY: 'sync' }, [])).toThrow('must be asynchronous or synchronous');
  });

  it('takes an empty variable for one that is not set', () => {
    expect(parseConfig({ PORT: '', DATABASE_URL: '', SANDBOX: '' }, [])).toMatchObject({ PORT: 3000, sandbox: true });
  });

  const mail = { SMTP_URL: 'smtp://mail.example.com:587', MAIL_FROM: 'Cuebird <cuebird@example.com>' };

  it.each<[string, Environment, { sandbox: boolean; demo: boolean; emailVerification: boolean }]>([
    ['a mail server', mail, { sandbox: false, demo: false, emailVerification: true }],
    ['a database', { DATABASE_URL: 'postgres://db/x' }, { sandbox: false, demo: false, emailVerification: false }],
    [
      'a mail server and SANDBOX=on',
      { ...mail, SANDBOX: 'on' },
      { sandbox: true, demo: true, emailVerification: true },
    ],
    ['DEMO=off', { DEMO: 'off' }, { sandbox: true, demo: false, emailVerification: false }],
    ['EMAIL_VERIFICATION=on', { EMAIL_VERIFICATION: 'on' }, { sandbox: true, demo: true, emailVerification: true }],
  ])('with %s turns on what goes with it', (_, env, expected) => {
    expect(parseConfig(env, [])).toMatchObject(expected);
  });

  const stripe = {
    STRIPE_SECRET_KEY: 'sk_test_1',
    STRIPE_WEBHOOK_SECRET: 'whsec_1',
    STRIPE_PRICE_BASIC: 'price_1',
    STRIPE_PRICE_PREMIUM: 'price_2',
    STRIPE_PRICE_ENTERPRISE: 'price_3',
  };
  const withDatabase = { DATABASE_URL: 'postgres://db/x' };

  it.each<[string, Environment, string]>([
    ['the sandbox', {}, 'sandbox'],
    ['a database', withDatabase, 'off'],
    ['the keys of Stripe', { ...withDatabase, ...stripe }, 'stripe'],
    ['the sandbox and the keys of Stripe', stripe, 'stripe'],
    ['BILLING=off and the keys of Stripe', { ...stripe, BILLING: 'off' }, 'off'],
    ['BILLING=off in the sandbox', { BILLING: 'off' }, 'off'],
    ['BILLING=sandbox and the keys of Stripe', { ...stripe, BILLING: 'sandbox' }, 'sandbox'],
  ])('with %s has billing as it goes with it', (_, env, billing) => {
    expect(parseConfig(env, [])).toMatchObject({ billing });
  });

  it.each<[line: string, env: Environment]>([
    ['BILLING=on: must be one of off, sandbox, stripe', { BILLING: 'on' }],
    ['BILLING=sandbox needs SANDBOX=on', { BILLING: 'sandbox', SANDBOX: 'off' }],
    ['BILLING=sandbox needs SANDBOX=on', { ...withDatabase, BILLING: 'sandbox' }],
    ['STRIPE_PRICE_BASIC=prod_1: must begin with price_', { ...stripe, STRIPE_PRICE_BASIC: 'prod_1' }],
    ['STRIPE_WEBHOOK_SECRET: must begin with whsec_', { ...stripe, STRIPE_WEBHOOK_SECRET: 'sk_1' }],
    [
      'STRIPE_WEBHOOK_SECRET, STRIPE_PRICE_BASIC, STRIPE_PRICE_PREMIUM, STRIPE_PRICE_ENTERPRISE must be set for payments by Stripe',
      { STRIPE_SECRET_KEY: 'sk_test_1' },
    ],
  ])('refuses what cannot take payments: %s', (line, env) => {
    expect(linesOf(env)).toEqual([line]);
  });

  it('reads lists, numbers and roles', () => {
    const env = { EGRESS_ALLOW: ' 10.1.0.0/16, fd00::/8 ,', PORT: '8080', MIN_PASSWORD_LENGTH: '12' };
    const config = parseConfig(env, ['--role', 'worker']);
    expect(config).toMatchObject({
      MIN_PASSWORD_LENGTH: 12,
      EGRESS_ALLOW: ['10.1.0.0/16', 'fd00::/8'],
      roles: ['worker'],
      isPortFixed: true,
    });
  });

  it('reads a single address as a network of one address', () => {
    expect(
      parseConfig({ EGRESS_ALLOW: '127.0.0.1, ::1, 10.1.0.0/16', TRUSTED_PROXIES: '192.0.2.7' }, []),
    ).toMatchObject({
      EGRESS_ALLOW: ['127.0.0.1/32', '::1/128', '10.1.0.0/16'],
      TRUSTED_PROXIES: ['192.0.2.7/32'],
    });
  });

  it('reads who runs the installation and where people find help', () => {
    const env = {
      SUPPORT_EMAIL: 'Help@Example.com',
      SUPPORT_PHONE: '+44 (0)113 496 0000',
      OPERATOR_NAME: 'Müller & Söhne <GmbH>',
      OPERATOR_ADDRESS: '1 High Street, Leeds LS1 4DY',
    };
    expect(parseConfig(env, [])).toMatchObject({ ...env, SUPPORT_EMAIL: 'help@example.com' });
  });

  it.each<[line: string, env: Environment]>([
    ['PORT=abc: must be a port from 0 to 65535', { PORT: 'abc' }],
    ['PORT=65536: must be a port from 0 to 65535', { PORT: '65536' }],
    ['PORT=80.5: must be a port from 0 to 65535', { PORT: '80.5' }],
    ['SANDBOX=yes: must be on or off', { SANDBOX: 'yes' }],
    ['MIN_PASSWORD_LENGTH=5: must be a number from 6 to 64', { MIN_PASSWORD_LENGTH: '5' }],
    ['LOG_LEVEL=loud: must be one of trace, debug, info, warn, error, silent', { LOG_LEVEL: 'loud' }],
    ['EGRESS_ALLOW=10.0.0: must hold addresses or CIDRs such as 10.1.0.0/16', { EGRESS_ALLOW: '10.0.0' }],
    ['ADMIN_EMAILS=ann@example.com,ben: Enter an email address', { ADMIN_EMAILS: 'ann@example.com,ben' }],
    ['TRUSTED_PROXIES=localhost: must hold addresses or CIDRs such as 127.0.0.1/32', { TRUSTED_PROXIES: 'localhost' }],
    ['EGRESS_ALLOW=10.0.0.0/99: must hold addresses or CIDRs such as 10.1.0.0/16', { EGRESS_ALLOW: '10.0.0.0/99' }],
    ['APP_URL: must be an address that starts with http:// or https://', { APP_URL: 'cuebird.example.com' }],
    ['APP_URL: must be an address that starts with http:// or https://', { APP_URL: 'javascript:alert(1)' }],
    ['DATABASE_URL: must be an address that starts with postgres:// or postgresql://', { DATABASE_URL: 'mysql://x' }],
    [
      'DATABASE_URL: must be an address that starts with postgres:// or postgresql://',
      { DATABASE_URL: 'postgres://x:y' },
    ],
    ['SMTP_URL: must be an address that starts with smtp:// or smtps://', { ...mail, SMTP_URL: 'mail.example.com' }],
    ['SUPPORT_EMAIL=help: Enter an email address', { SUPPORT_EMAIL: 'help' }],
    ['SUPPORT_PHONE=call us: must be a number such as +1 415 555 0100', { SUPPORT_PHONE: 'call us' }],
    ['OPERATOR_NAME= : must not be blank', { OPERATOR_NAME: ' ' }],
    ['OPERATOR_ADDRESS=1 High Street\nLeeds: must be one line', { OPERATOR_ADDRESS: '1 High Street\nLeeds' }],
    ['METRICS_TOKEN: must be at least 16 characters', { METRICS_TOKEN: 'hunter2' }],
    ['METRICS_TOKEN: must not contain blank space', { METRICS_TOKEN: 'sixteen characters' }],
    ['ENCRYPTION_KEY: must be at least 32 characters', { ENCRYPTION_KEY: 'short' }],
    ['MAIL_FROM must be set with SMTP_URL, for example "Cuebird <cuebird@example.com>"', { SMTP_URL: mail.SMTP_URL }],
    ['GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be set together', { GOOGLE_CLIENT_ID: 'x' }],
    ['GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET must be set together', { GOOGLE_CLIENT_SECRET: 'x' }],
  ])('%s', (line, env) => {
    expect(linesOf(env)).toEqual([line]);
  });

  it('names everything that is wrong at once, a line each', () => {
    const lines = linesOf({ PORT: 'x', LOG_LEVEL: 'x', SMTP_URL: 'smtp://x' }, ['--role', 'boss']);
    expect(lines.map((line) => line.split(/[=: ]/)[0])).toEqual(['PORT', 'LOG_LEVEL', '--role', 'MAIL_FROM']);
  });

  it('refuses a flag that it does not know', () => {
    expect(linesOf({}, ['--rolle', 'web'])).toEqual([expect.stringContaining("Unknown option '--rolle'")]);
  });

  it('never repeats a value that may be secret', () => {
    const lines = linesOf({
      DATABASE_URL: 'mysql://cuebird:hunter2@db/x',
      SMTP_URL: 'http://cuebird:hunter2@mail/x',
      APP_URL: 'ftp://cuebird:hunter2@app/x',
      ENCRYPTION_KEY: 'hunter2',
    });
    expect(lines).toHaveLength(5);
    expect(lines.join()).not.toContain('hunter2');
  });

  it('describes every variable in its help', () => {
    const help = helpText();
    for (const name of [
      'PORT',
      'DATABASE_URL',
      'SMTP_URL',
      'ENCRYPTION_KEY',
      'EGRESS_ALLOW',
      'TRUSTED_PROXIES',
      'SANDBOX',
      'SUPPORT_EMAIL',
      'OPERATOR_ADDRESS',
      'METRICS_TOKEN',
      'LOG_LEVEL',
    ])
      expect(help).toMatch(new RegExp(`^  ${name} +\\S`, 'm'));
  });
});

describe('the program', () => {
  /** Runs it to its end, in an environment of nothing but this. */
  async function run(env: Environment, args: string[] = []) {
    const main = fileURLToPath(new URL('../main.ts', import.meta.url));
    const child = spawn(process.execPath, [main, ...args], { env: { PATH: process.env.PATH ?? '', ...env } });
    let out = '';
    let err = '';
    child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()));
    child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()));
    const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
    return { code, out, err };
  }

  it('ends with code 1 and one line for each wrong value', async () => {
    const { code, out, err } = await run({ PORT: 'abc', SANDBOX: 'yes', DATABASE_URL: 'mysql://x:hunter2@y/z' });
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err.trimEnd().split('\n')).toEqual([
      'PORT=abc: must be a port from 0 to 65535',
      'DATABASE_URL: must be an address that starts with postgres:// or postgresql://',
      'SANDBOX=yes: must be on or off',
    ]);
  });

  it('says in one line that the database does not answer, without its password', async () => {
    const { code, err } = await run({
      DATABASE_URL: 'postgres://cuebird:hunter2@localhost:1/x',
      ENCRYPTION_KEY: 'k'.repeat(32),
    });
    expect(code).toBe(1);
    expect(err).toMatch(/^DATABASE_URL: the database does not answer \(.*ECONNREFUSED.*\)\n$/);
    expect(err).not.toContain('hunter2');
  });

  it('--help prints what can be set, and starts nothing', async () => {
    const { code, out, err } = await run({ PORT: 'abc' }, ['--help']);
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out).toBe(`${helpText()}\n`);
  });
});
