import type { Failure, MagicFate } from '#contract/rehearsals.ts';
import { magicNumbers } from '#contract/rehearsals.ts';
import type { ChannelType } from '#contract/reminders.ts';
import type { HttpRequest } from '#platform/outbound/http.ts';
import type { Accounts } from './accounts.ts';
import type { Answer, Call } from './call.ts';

/** What the sandbox took, before it is stored: what the provider's recipient gets to see, and where reports go. */
export type TakenMessage = {
  workspaceId: string;
  channel: ChannelType;
  sender: string;
  recipient: string;
  subject: string;
  text: string;
  /** Null where the text is the whole request. */
  raw: string | null;
  segments: number | null;
  callbackUrl: string | null;
};

/** What an emulator makes of a request. `fate` is that of a magic recipient, which the provider itself accepts. */
export type Received =
  | { kind: 'answered'; answer: Answer }
  | { kind: 'taken'; message: TakenMessage; fate: MagicFate | null; answer: (id: string) => Answer };

/** What happens to a message that was accepted. */
export type Happening =
  | { kind: 'sent' }
  | { kind: 'delivered' }
  | { kind: 'failed' }
  /** Its recipient answers. `id` is that of the answer. */
  | { kind: 'reply'; id: string; text: string };

/** A message that was accepted, as far as a call-back tells of it. */
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

/** What is told of it, when, and with whose keys it is signed. */
export type Told = { happening: Happening; accounts: Accounts; now: Temporal.Instant };

export type House = {
  accounts: Accounts;
  /** Where the sandbox is reached. */
  url: string;
  /** Whether this recipient wrote STOP to this sender, and not START since. */
  hasOptedOut(pair: { workspaceId: string; provider: string; sender: string; recipient: string }): Promise<boolean>;
};

/** The part of one provider: its addresses, rules and words. It holds no state. */
export type Emulator = {
  /** Null for plain webhook calls. */
  provider: string | null;
  owns(call: Call): boolean;
  /** Checks a request as the provider does; what it refuses is answered at once. */
  receive(call: Call, house: House): Promise<Received>;
  /** How the provider says that there are too many requests, and that it is out of order. */
  throttled(): Answer;
  unavailable(status: number): Answer;
  /** The provider's call-backs, signed as it signs; none where it tells nothing of this. */
  report?(message: ReportedMessage, told: Told): HttpRequest[];
};

export const answered = (answer: Answer): Received => ({ kind: 'answered', answer });

/** What the magic recipients bring about; null for every other one. */
export const fateOf = (number: string): MagicFate | null =>
  magicNumbers.find(({ recipient }) => recipient === number)?.fate ?? null;

/** The failure that a magic recipient rehearses; null for fates of another kind. */
export function failureOf(fate: MagicFate | null): Failure | null {
  if (fate === 'rate_limited') return { kind: fate, retry_after: { form: 'seconds', seconds: 5 } };
  if (fate === 'unavailable') return { kind: fate, status: 503 };
  return fate === 'reset' || fate === 'hang' ? { kind: fate } : null;
}

/** An international number (ITU-T E.164): a plus and 7 to 15 digits, of which the first is none. */
export const isE164 = (number: string) => /^\+[1-9]\d{6,14}$/.test(number);

/** A call-back that carries JSON. */
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
