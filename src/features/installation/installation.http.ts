import type { installationRoutes } from '#contract/installation.ts';
import { getReadiness, type ReadinessPorts } from '#features/installation/installation.service.ts';
import type { Config } from '#platform/config.ts';
import type { HandlersOf } from '#platform/handler.ts';

export type InstallationPorts = ReadinessPorts & {
  config: Config;
  version: string;
  hasDemo: boolean;
  canSendMail: boolean;
  openApi: (request: Request) => Response;
};

export const installationHandlers = (ports: InstallationPorts): HandlersOf<typeof installationRoutes> => ({
  getConfig: () => ({
    google: ports.config.GOOGLE_CLIENT_ID !== undefined,
    sandbox: ports.config.sandbox,
    email_verification: ports.config.emailVerification,
    account_mail: ports.canSendMail,
    min_password_length: ports.config.MIN_PASSWORD_LENGTH,
    billing: ports.config.billing,
    demo: ports.hasDemo,
    support_email: ports.config.SUPPORT_EMAIL ?? null,
    support_phone: ports.config.SUPPORT_PHONE ?? null,
    version: ports.version,
  }),
  getHealth: () => ({ status: 'ok' }),
  getReady: () => getReadiness(ports),
  getOpenApi: ({ request }) => ports.openApi(request),
});
