import type { Failure, MagicFate } from '#contract/simulated-failures.ts';
import { magicNumbers } from '#contract/simulated-failures.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import type { Accounts } from './accounts.ts';
import type { Answer, Call } from './call.ts';

/** A message that the sandbox accepted, before it is stored: what the recipient sees, and where reports go. */
export type TakenMessage = {
  workspaceId: string;
  channel: ChannelType;
  sender: string;
  recipient: string;
  subject: string;
  text: string;
  /** The whole request; null when the text is all of it. */
  raw: string | null;
  segments: number | null;
  callbackUrl: string | null;
};

/** An emulator's decision about a request. `fate` is that of a magic recipient, which the provider itself accepts. */
export type Received =
  | { kind: 'answered'; answer: Answer }
  | { kind: 'taken'; message: TakenMessage; fate: MagicFate | null; answer: (id: string) => Answer };

/** What happens to an accepted message. */
export type Happening =
  | { kind: 'sent' }
  | { kind: 'delivered' }
  | { kind: 'failed' }
  /** Its recipient replies. `id` is the reply's. */
  | { kind: 'reply'; id: string; text: string };

/** An accepted message, with the fields that a callback needs. */
export type ReportedMessage = {
  id: string;
  workspaceId: string;
  channel: ChannelType;
  sender: string;
  recipient: string;
  text: string;
  raw: string | null;
  segments: number | null;
  callbackUrl: string;
};

/** What to report, when, and the accounts whose keys sign it. */
export type ReportContext = { happening: Happening; accounts: Accounts; now: Temporal.Instant };

export type EmulatorContext = {
  accounts: Accounts;
  /** The sandbox's own URL. */
  url: string;
  /** Whether this recipient sent STOP to this sender, and no START since. */
  hasOptedOut(pair: { workspaceId: string; provider: string; sender: string; recipient: string }): Promise<boolean>;
};

/** The emulation of one provider: its addresses, rules and texts. It holds no state. */
export type Emulator = {
  /** The provider's name; null for plain webhook requests. */
  provider: string | null;
  owns(call: Call): boolean;
  /** Checks a request like the provider. A refusal is answered at once. */
  receive(call: Call, context: EmulatorContext): Promise<Received>;
  /** The provider's responses for too many requests and for an outage. */
  throttled(): Answer;
  unavailable(status: number): Answer;
  /** The provider's callbacks, signed like the provider's; none when it reports nothing about this. */
  report?(message: ReportedMessage, reported: ReportContext): HttpRequest[];
};

export const answered = (answer: Answer): Received => ({ kind: 'answered', answer });

/** The fate of a magic recipient; null for other numbers. */
export const fateOf = (number: string): MagicFate | null =>
  magicNumbers.find(({ recipient }) => recipient === number)?.fate ?? null;

/** The failure that a magic recipient simulates; null for fates of another kind. */
export function failureOf(fate: MagicFate | null): Failure | null {
  if (fate === 'rate_limited') return { kind: fate, retry_after: { form: 'seconds', seconds: 5 } };
  if (fate === 'unavailable') return { kind: fate, status: 503 };
  return fate === 'reset' || fate === 'hang' ? { kind: fate } : null;
}

/** An international number (ITU-T E.164): a plus and 7 to 15 digits, of which the first is not 0. */
export const isE164 = (number: string) => /^\+[1-9]\d{6,14}$/.test(number);

/** A callback that carries JSON. */
export function jsonReport(
  url: string,
  { body, headers = [] }: { body: string; headers?: readonly string[] },
): HttpRequest {
  return {
    url,
    method: 'POST',
    headers: ['content-type', 'application/json', ...headers],
    body,
    timeoutMs: reportTimeoutMs,
  };
}

export const reportTimeoutMs = 15_000;
