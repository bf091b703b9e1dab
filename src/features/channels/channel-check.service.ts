import { randomUUIDv7 } from 'node:crypto';
import { type ChannelCheck, testMessage } from '#contract/channels.ts';
import type { DefaultRoute, Envelope, Network } from '#delivery/adapter.ts';
import type { Outcome } from '#domain/outcome.ts';
import { parseRecipient } from '#domain/recipients.ts';
import * as rows from '#features/channels/channels.db.ts';
import { openChannel } from '#features/channels/open-channel.ts';
import { companyNameOf } from '#features/reach/reach.service.ts';
import { signingSecretsOf } from '#features/signing-secret/signing-secret.service.ts';
import { isDemo } from '#features/workspaces/workspaces.service.ts';
import { announce } from '#platform/changes.ts';
import type { TenantContext } from '#platform/context.ts';
import { Conflict, Invalid, NotFound, Unprocessable } from '#platform/errors.ts';
import { AfterCommit, type InTransaction } from '#platform/handler.ts';
import type { SecretBox } from '#platform/secrets.ts';
import type { TestSlots } from '#features/channels/test-slots.ts';

/** `slots` limits the concurrent checks of a workspace; `demo` has the routes and the network of demos. */
export type CheckPorts = {
  secrets: SecretBox;
  network: Network;
  slots: TestSlots;
  demo: { routes: DefaultRoute; network: Pick<Network, 'http' | 'smtp'> };
};

type Asked = { id: string; ports: CheckPorts };

/** Sends a test message through the stored channel, under any plan. When it is accepted, the channel is verified. */
export async function testChannel(
  ctx: TenantContext,
  { id, recipient, message, ports }: Asked & { recipient: string; message: string },
): Promise<AfterCommit<ChannelCheck>> {
  const row = await mustFind(ctx, id);
  if (!row.is_active) throw new Conflict('The channel is disabled. Enable it to test it.');
  const to = parseRecipient(recipientOf(row, recipient.trim()));
  const { adapter, config } = await routeOfTest(ctx, { row, ports });
  const envelope = envelopeFor(row, {
    ctx,
    to,
    companyName: await companyNameOf(ctx),
    signingSecrets: row.type === 'webhook' ? await signingSecretsOf(ctx, ports.secrets) : [],
    message: message.trim() || testMessage,
  });
  return checking(ctx, {
    row,
    ports,
    ask: async () =>
      asSeenBy(ctx, { row, check: checkOf(await adapter.send(envelope, { config, network: ports.network })) }),
  });
}

/** Queries the session of the configured WAHA server; no message is sent. */
export async function verifyWaha(ctx: TenantContext, { id, ports }: Asked): Promise<AfterCommit<ChannelCheck>> {
  const row = await mustFind(ctx, id);
  if (row.type !== 'whatsapp' || row.configuration.provider !== 'waha')
    throw new Unprocessable('Only a WhatsApp channel over WAHA can be verified this way');
  return verifying(ctx, { row, ports });
}

/** Asks the provider whether the channel's configuration is valid; no message is sent. */
export async function verifyChannel(ctx: TenantContext, { id, ports }: Asked): Promise<AfterCommit<ChannelCheck>> {
  return verifying(ctx, { row: await mustFind(ctx, id), ports });
}

/** The stored channel; for a demo the sandbox's. */
async function routeOfTest(ctx: TenantContext, { row, ports }: { row: rows.ChannelRow; ports: CheckPorts }) {
  if (!(await isDemo(ctx))) return openChannel(row, ports.secrets);
  const route = ports.demo.routes(row.type, ctx.workspaceId);
  if (route === null) throw new Unprocessable('The demo sends into the sandbox only, and the sandbox is off');
  return route;
}

async function verifying(ctx: TenantContext, { row, ports }: { row: rows.ChannelRow; ports: CheckPorts }) {
  const { adapter, config } = openChannel(row, ports.secrets);
  const { verify, title } = adapter;
  if (verify === undefined)
    throw new Unprocessable(`${title} cannot be asked about a configuration: send a test message instead`);
  const network = (await isDemo(ctx)) ? { ...ports.network, ...ports.demo.network } : ports.network;
  return checking(ctx, { row, ports, ask: () => verify(config, network) });
}

async function mustFind({ db, workspaceId }: TenantContext, id: string): Promise<rows.ChannelRow> {
  const row = await rows.findChannel(db, { workspaceId, id });
  if (row === undefined) throw new NotFound('channel');
  return row;
}

/** The specification asks for a recipient for every type but webhook, which is called at its own URL without one. */
function recipientOf({ type, configuration: { url, method } }: rows.ChannelRow, recipient: string): string {
  const refuse = (message: string) => new Invalid([{ path: 'recipient', message }]);
  if (type !== 'webhook') {
    if (recipient === '') throw refuse('Recipient required');
    return recipient;
  }
  const address = recipient || (typeof url === 'string' ? url : '');
  if (method === 'GET' && !isWebAddress(address)) throw refuse('Please provide a valid URL for GET webhook testing');
  return address;
}

const isWebAddress = (text: string) => /^https?:$/.test(URL.parse(text)?.protocol ?? '');

function envelopeFor(
  row: rows.ChannelRow,
  {
    ctx,
    to,
    companyName,
    signingSecrets,
    message,
  }: {
    ctx: TenantContext;
    to: ReturnType<typeof parseRecipient>;
    companyName: string;
    signingSecrets: readonly string[];
    message: string;
  },
): Envelope {
  const id = randomUUIDv7();
  return {
    delivery_id: id,
    workspace_id: ctx.workspaceId,
    // A test has no job, so nothing of it is stored under this id.
    job_id: id,
    reminder_id: null,
    name: row.name,
    scheduled_for: ctx.now.toString(),
    attempt: 1,
    channel: row.type,
    recipient: to.address,
    recipient_name: to.name,
    subject: `Test of ${row.name}`,
    message,
    is_test: true,
    company_name: companyName,
    signing_secrets: signingSecrets,
  };
}

type Checking = { row: rows.ChannelRow; ports: CheckPorts; ask: () => Promise<ChannelCheck> };

/** Runs after the request's transaction. A good answer verifies the configuration that was checked, not one edited meanwhile. */
const checking = ({ workspaceId }: TenantContext, { row, ports, ask }: Checking) =>
  new AfterCommit((inTransaction) =>
    ports.slots.take(workspaceId, async () => {
      const check = await ask();
      if (check.success && !row.is_verified) await markVerified(row, inTransaction);
      return check;
    }),
  );

const markVerified = (row: rows.ChannelRow, inTransaction: InTransaction) =>
  inTransaction(async (db) => {
    await rows.verifyChannel(db, row);
    await announce({ db, workspaceId: row.workspace_id }, ['channels']);
  });

function checkOf(outcome: Outcome): ChannelCheck {
  switch (outcome.outcome) {
    case 'accepted':
    case 'delivered':
      return { success: true, message: outcome.answer.slice(0, 500) || `Accepted as ${outcome.receipt}` };
    case 'failed':
      return { success: false, message: outcome.answer?.slice(0, 500) ?? outcome.reason };
    case 'skipped':
    case 'unknown':
      return { success: false, message: outcome.reason };
    default:
      return outcome satisfies never;
  }
}

/** A receiver's answer is shown only to those who may set the webhook's address; members see its status. */
function asSeenBy(
  { role }: TenantContext,
  { row, check }: { row: rows.ChannelRow; check: ChannelCheck },
): ChannelCheck {
  if (role !== 'member' || row.type !== 'webhook') return check;
  return { ...check, message: check.message.replace(/^(HTTP \d{3}): .*/s, '$1') };
}
