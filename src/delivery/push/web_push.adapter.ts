import { z } from 'zod';
import type { Adapter, Envelope, Network } from '#delivery/adapter.ts';
import {
  type Answered,
  type Failed,
  headerOf,
  inWords,
  outcomeWithoutAnswer,
  refusal,
  type Unknown,
} from '#delivery/answer.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import type { Device, PushDevices } from './devices.ts';
import { type PushSender, pushRequest, shownPush } from './push.message.ts';

const Config = z.object({
  public_key: z.string(),
  private_key: z.string(),
  subject: z.string(),
  devices: z.custom<PushDevices>(),
});

/**
 * Web push to every browser that members of the workspace have subscribed. They share one ledger row: it is accepted as
 * soon as one push service has accepted the message, and its answer mentions the others.
 */
export const adapter: Adapter<z.output<typeof Config>> = {
  type: 'push',
  provider: 'web_push',
  title: 'Web push',
  shape: Config,
  secretFields: [],
  destinationFields: [],
  fields: [],
  destinationOf: () => 'web push',
  show: (envelope) => ({ kind: 'text', ...shownPush(envelope) }),
  async send(envelope, { config, network }) {
    const devices = await config.devices.of(envelope.workspace_id, envelope.push_to);
    if (devices.length === 0) return { outcome: 'skipped', code: 'no_device', reason: nobodyHears(envelope) };
    const sent = await inParallel(devices, (device) => sendTo(device, { envelope, sender: config, network }));
    const endpointsWith = (outcome: Result['outcome']) =>
      sent.flatMap(({ device, result }) => (result.outcome === outcome ? [device.endpoint] : []));
    const [used, gone] = [endpointsWith('accepted'), endpointsWith('gone')];
    // A failure is ignored: the messages are sent, even if that is not recorded.
    if (used.length > 0) await config.devices.markUsed(envelope.workspace_id, used).catch(() => {});
    if (gone.length > 0) await config.devices.forget(envelope.workspace_id, gone);
    return together(
      sent.map(({ result }) => result),
      envelope,
    );
  },
};

const nobodyHears = ({ push_to: member }: Envelope) =>
  member === undefined
    ? 'Nobody in this workspace has turned on push notifications'
    : 'The sender of this test has not turned on push notifications in any browser';

/** The most connections that one message opens at a time. */
const mostAtOnce = 8;

async function inParallel<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  const left = items.entries();
  const takeOn = async () => {
    for (const [at, item] of left) results[at] = await work(item);
  };
  await Promise.all(Array.from({ length: mostAtOnce }, takeOn));
  return results;
}

type Accepted = Extract<Outcome, { outcome: 'accepted' }>;

/** The result of one browser. One that its push service no longer knows can never be reached again. */
type Result = Accepted | Failed | Unknown | { outcome: 'gone' };

async function sendTo(
  device: Device,
  { envelope, sender, network }: { envelope: Envelope; sender: PushSender; network: Network },
): Promise<{ device: Device; result: Result }> {
  const request = requestFor(device, { envelope, sender });
  if (request === null) return { device, result: { outcome: 'gone' } };
  const answer = await network.http.request(request);
  return { device, result: answer.kind === 'answer' ? resultOf(answer, network.now()) : outcomeWithoutAnswer(answer) };
}

function requestFor(
  device: Device,
  { envelope, sender }: { envelope: Envelope; sender: PushSender },
): HttpRequest | null {
  try {
    return pushRequest(envelope, { device, sender });
  } catch {
    // The browser's keys are invalid: it could not decrypt any message.
    return null;
  }
}

function resultOf(answer: Answered, now: Temporal.Instant): Result {
  const { status } = answer;
  if (status < 300)
    return { outcome: 'accepted', receipt: headerOf(answer, 'location') ?? '', answer: `HTTP ${status}` };
  if (status === 404 || status === 410) return { outcome: 'gone' };
  return refusal(answer, { reason: `Push service: ${inWords(answer)}`, now });
}

/** The outcome of the whole delivery. One browser that has the message is enough: a retry would show it there twice. */
function together(results: readonly Result[], envelope: Envelope): Outcome {
  const accepted = results.find((result) => result.outcome === 'accepted');
  if (accepted !== undefined)
    return { outcome: 'accepted', receipt: accepted.receipt || envelope.delivery_id, answer: inShort(results) };
  const unknown = results.find((result) => result.outcome === 'unknown');
  if (unknown !== undefined) return unknown;
  const failures = results.filter((result) => result.outcome === 'failed');
  const [first] = failures;
  if (first === undefined)
    return {
      outcome: 'skipped',
      code: 'no_device',
      reason: 'Every browser of this workspace has turned push notifications off',
    };
  const temporary = failures.filter((failure) => !failure.permanent);
  const waits = temporary.flatMap(({ retryAfterMs }) => retryAfterMs ?? []);
  const { code, reason } = temporary[0] ?? first;
  return {
    outcome: 'failed',
    permanent: temporary.length === 0,
    ...(code !== undefined && { code }),
    reason,
    ...(waits.length > 0 && { retryAfterMs: Math.max(...waits) }),
  };
}

function inShort(results: readonly Result[]): string {
  const count = (outcome: Result['outcome']) => results.filter((result) => result.outcome === outcome).length;
  const parts = [`accepted for ${count('accepted')} of ${results.length} browsers`];
  if (count('gone') > 0) parts.push(`${count('gone')} unsubscribed`);
  const other = results.find((result) => result.outcome === 'failed' || result.outcome === 'unknown');
  if (other !== undefined) parts.push(other.reason);
  return parts.join('; ').slice(0, 500);
}
