import { afterEach, describe, expect, it } from 'vitest';
import { createDefaultRoutes } from '#delivery/defaults.ts';
import { createEgressGuard } from '#platform/outbound/guard.ts';
import { createLog } from '#platform/log.ts';
import { mailServer, reject } from '#testing/mail-servers.ts';
import { closeServers } from '#testing/tcp-server.ts';
import { createInstallationMailer } from './installation-mailer.ts';
import { createSmtpPools } from './smtp-pools.ts';

const guard = createEgressGuard({ allow: ['127.0.0.0/8'], exact: () => [], resolve: async () => ['127.0.0.1'] });

describe('a mail of the installation that is not accepted', () => {
  afterEach(closeServers);

  async function logOf(url: string): Promise<string> {
    const lines: string[] = [];
    const log = createLog('error', (line) => lines.push(line));
    const smtp = createSmtpPools({ guard });
    const routeOf = createDefaultRoutes({ sandbox: null, mailServer: { url, from: 'Cuebird <cuebird@example.com>' } });
    const configuration = routeOf('email', 'any workspace')?.config ?? null;
    const send = createInstallationMailer({ smtp, configuration, log });
    const outcome = await send({ to: 'dana@example.com', subject: 'Confirm your address', text: 'Hello' });
    expect(outcome.outcome).not.toBe('accepted');
    smtp.close();
    return lines.join('');
  }

  it('is logged with what is wrong with the server', async () => {
    const { port } = await mailServer({ disabledCommands: ['STARTTLS', 'AUTH'] });
    expect(await logOf(`smtp://127.0.0.1:${port}`)).toContain('the server offers no encryption (STARTTLS)');
    closeServers();
    expect(await logOf(`smtp://127.0.0.1:${port}?tls=off`)).toContain('"reason":');
  });

  it('is logged without what the server says of the one whom it was for', async () => {
    const { port } = await mailServer({
      onRcptTo: ({ address }, _session, done) => done(reject(550, `No such user: ${address}`)),
    });
    const logged = await logOf(`smtp://127.0.0.1:${port}?tls=off`);
    expect(logged).toContain('"answer":"declined"');
    expect(logged).not.toContain('dana');
  });
});
