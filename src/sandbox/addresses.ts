import { createAccounts } from './accounts.ts';
import { hookPathOf } from './emulators/hooks.ts';
import { browserOf, type SandboxBrowser } from './emulators/push.ts';
import { type ProviderAccounts, providerAccountsOf } from './provider-accounts.ts';

/** The configuration of an email channel that sends into the sandbox. */
export type SandboxMailServer = {
  smtp_host: string;
  smtp_port: number;
  username: string;
  password: string;
  from_email: string;
  from_name: string;
  use_tls: boolean;
};

/** The addresses and accounts of a sandbox, which may run in another thread. */
export type SandboxAddresses = {
  smtp: { host: string; port: number };
  http: { host: string; port: number; url: string };
  /** The login for a workspace's mail, or with `accountMail` for Cuebird's own. */
  smtpConfigFor(username: string): SandboxMailServer;
  webhookUrlFor(workspaceId: string): string;
  /** The workspace's accounts at each provider that the sandbox emulates. */
  accountsFor(workspaceId: string): ProviderAccounts;
  /** A browser of the workspace that has allowed notifications. */
  pushBrowserFor(of: { workspaceId: string; applicationServerKey: string; name?: string }): SandboxBrowser;
};

export const sandboxHost = '127.0.0.1';

/** Addresses for the sandbox with this secret and these ports. */
export function sandboxAddresses(of: {
  secret: string | Buffer;
  smtpPort: number;
  httpPort: number;
}): SandboxAddresses {
  const accounts = createAccounts(of.secret);
  const url = `http://${sandboxHost}:${of.httpPort}`;
  return {
    smtp: { host: sandboxHost, port: of.smtpPort },
    http: { host: sandboxHost, port: of.httpPort, url },
    smtpConfigFor: (username) => ({
      smtp_host: sandboxHost,
      smtp_port: of.smtpPort,
      username,
      password: accounts.secretOf('smtp', username),
      from_email: 'reminders@cuebird.test',
      from_name: '',
      use_tls: false,
    }),
    webhookUrlFor: (workspaceId) => `${url}${hookPathOf({ accounts }, workspaceId)}`,
    accountsFor: (workspaceId) => providerAccountsOf({ accounts, url }, workspaceId),
    pushBrowserFor: ({ name = 'browser', ...browser }) => browserOf({ accounts, url }, { ...browser, name }),
  };
}
