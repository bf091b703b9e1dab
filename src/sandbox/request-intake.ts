import { randomUUIDv7 } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import type { Failure } from '#contract/simulated-failures.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { Answer, Call } from './call.ts';
import { type Emulator, failureOf, type EmulatorContext } from './emulator.ts';
import { type Intake, storable } from './intake.ts';
import type { Reporter } from './reporter.ts';

/** The simulated failure for the next message of a workspace's channel. Reading it uses it up. */
export type FailureFor = (scope: { workspaceId: string; channel: ChannelType }) => Promise<Failure | null>;

/** The callback URL in a provider's account, for requests without their own. */
export type WebhookOf = (scope: {
  workspaceId: string;
  channel: ChannelType;
  provider: string;
}) => Promise<string | null>;

/** What the caller receives. `onAnswered` runs after the response is sent. */
export type Reaction =
  | { kind: 'answer'; answer: Answer; onAnswered?: () => void }
  /** The connection breaks. */
  | { kind: 'reset' }
  /** No response is ever sent. */
  | { kind: 'hang' };

export type RequestIntake = { receive(call: Call, emulator: Emulator): Promise<Reaction> };

type Deps = {
  context: EmulatorContext;
  keep: Intake['keep'];
  failureFor: FailureFor;
  webhookOf: WebhookOf;
  reporter: Reporter;
  /** Aborted when the sandbox stops. */
  closing: AbortSignal;
};

const textLimit = 64 * 1024;

/**
 * Processes a request: the provider's rules first, then a simulated failure, then it is stored, answered and reported.
 */
export function createRequestIntake({ context, keep, failureFor, webhookOf, reporter, closing }: Deps): RequestIntake {
  async function receive(call: Call, emulator: Emulator): Promise<Reaction> {
    const received = await emulator.receive(call, context);
    if (received.kind === 'answered') return { kind: 'answer', answer: received.answer };
    const { message, fate, answer } = received;
    const { workspaceId, channel } = message;
    const failure = failureOf(fate) ?? (await failureFor({ workspaceId, channel }));
    const refusal = refusalOf(failure, { emulator, now: call.now });
    if (refusal) return { kind: 'answer', answer: refusal };
    if (failure?.kind === 'hang') return { kind: 'hang' };

    const id = randomUUIDv7();
    const { provider } = emulator;
    const callbackUrl =
      message.callbackUrl ?? (provider === null ? null : await webhookOf({ workspaceId, channel, provider }));
    const taken = {
      ...message,
      callbackUrl,
      text: bounded(message.text),
      raw: message.raw === null ? null : bounded(message.raw),
    };
    await keep({
      id,
      workspace_id: workspaceId,
      channel,
      provider,
      sender: storable(taken.sender),
      recipient: storable(taken.recipient),
      subject: storable(taken.subject),
      text: taken.text,
      html: null,
      // Stored under HTTP/2's name, since a message has no field for it.
      headers: { ':method': call.method, ...call.headers },
      raw: taken.raw,
      segments: taken.segments,
      callback_url: callbackUrl,
      reply_to: null,
      raw_size: call.size,
      received_at: call.now.toString(),
    });

    const report = callbackUrl === null || fate === 'silent' ? null : { ...taken, id, callbackUrl };
    const outcome = fate === 'undelivered' ? ('failed' as const) : ('delivered' as const);
    if (report && fate === 'early_report') await reporter.report({ emulator, message: report, outcome });
    const later =
      report && fate !== 'early_report' ? () => reporter.schedule({ emulator, message: report, outcome }) : undefined;
    if (failure?.kind === 'reset') {
      later?.();
      return { kind: 'reset' };
    }
    if (failure?.kind === 'slow')
      await wait(failure.seconds * 1000, undefined, { signal: closing }).catch(() => undefined);
    return { kind: 'answer', answer: answer(id), onAnswered: later };
  }

  return {
    receive: (call, emulator) =>
      receive(call, emulator).catch(() => ({ kind: 'answer', answer: emulator.unavailable(503) })),
  };
}

function refusalOf(
  failure: Failure | null,
  { emulator, now }: { emulator: Emulator; now: Temporal.Instant },
): Answer | null {
  if (failure?.kind === 'unavailable') return emulator.unavailable(failure.status);
  if (failure?.kind !== 'rate_limited') return null;
  const answer = emulator.throttled();
  if (failure.retry_after === null) return answer;
  const { form, seconds } = failure.retry_after;
  const date = () => new Date(now.add({ seconds }).epochMilliseconds).toUTCString();
  return { ...answer, headers: { ...answer.headers, 'retry-after': form === 'date' ? date() : String(seconds) } };
}

const bounded = (text: string) => storable(text.length > textLimit ? text.slice(0, textLimit) : text);
