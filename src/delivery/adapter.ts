import type { z } from 'zod';
import type { ChannelField } from '#contract/channels.ts';
import type { ShownMessage } from '#contract/jobs.ts';
import type { ChannelType } from '#contract/reminders.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { OutboundHttp } from '#platform/outbound/http.ts';
import type { SmtpPools } from '#delivery/email/smtp-pools.ts';

/** One rendered message for one recipient. Plain data: it could cross a network to a worker that has no database. */
export type Envelope = {
  /** uuid, the same for every attempt: webhook-id, Message-ID and idempotency keys are made of it. */
  delivery_id: string;
  workspace_id: string;
  job_id: string;
  reminder_id: string | null;
  /** The reminder's name. */
  name: string;
  /** ISO instant. */
  scheduled_for: string;
  /** 1 for the first attempt. */
  attempt: number;
  channel: ChannelType;
  recipient: string;
  recipient_name: string | null;
  subject: string;
  message: string;
  is_test: boolean;
  /** How the recipient can end such messages; for mail that is no test, where this installation has an address. */
  unsubscribe?: UnsubscribeLinks;
};

export type UnsubscribeLinks = {
  /** For people: it asks first. */
  page: string;
  /** For mail programs: a POST there does it (RFC 8058). */
  oneClick: string;
};

/** The network, passed in so that tests and the simulation can put their own in its place. */
export type Network = {
  http: OutboundHttp;
  smtp: SmtpPools;
  now: () => Temporal.Instant;
  /** Where this installation takes a provider's reports; none where it cannot be reached from outside a process. */
  callbackUrl?: (provider: string, token: string) => string;
  /** Where recipients end what is sent to them. */
  unsubscribeLinks?: (of: { workspaceId: string; channel: ChannelType; recipient: string }) => UnsubscribeLinks;
};

/** What a provider says about its configuration, in a sentence for the person who wrote it. */
export type Verification = { success: boolean; message: string };

/** A provider's call at the address of its channel. */
export type Callback = {
  method: 'GET' | 'POST';
  /** As the provider called it, with its query: signatures cover it. */
  url: URL;
  headers: Headers;
  body: Buffer;
};

/** A message that is reported on. `id` is its receipt; the others are ours, where the provider gives them back. */
type Reported = { id: string; deliveryId?: string /** How the ledger of mail is looked up. */; jobId?: string };

/** What a provider reports. */
export type Report =
  | ({ kind: 'delivered' } & Reported)
  /** `hasNoMailbox`: nothing that is sent there will ever arrive. */
  | ({ kind: 'failed'; reason: string; hasNoMailbox?: boolean } & Reported)
  /** It is still under way, for the reason that the words say. */
  | ({ kind: 'delayed'; words: string } & Reported)
  /** Somebody replied that they want no more messages, or again some; `sender` is a number in E.164. */
  | { kind: 'stopped'; sender: string }
  | { kind: 'resumed'; sender: string };

export type CallbackAnswer =
  /** Signed as it should be. `reply` is the body that the provider expects, `text/xml`, where it expects one. */
  | { kind: 'reports'; reports: readonly Report[]; reply?: string }
  /** The provider asks whether the address is the right one, and wants this back. */
  | { kind: 'challenge'; answer: string }
  | { kind: 'refused'; reason: string };

/**
 * One provider of one channel type, in a file of its own that exports it as `adapter`: `delivery/<type>/<provider>.adapter.ts`.
 * It needs no database and never throws for what the other side did.
 */
export type Adapter<Config> = {
  type: ChannelType;
  provider: string;
  /** What people call it. */
  title: string;
  /** Its place in the list of the type's providers; those without one come last. */
  rank?: number;
  /** Checks a channel's configuration with its secrets opened. */
  shape: z.ZodType<Config>;
  /** Top-level configuration fields that are sealed at rest and never returned by the API. */
  secretFields: readonly string[];
  /** What the form asks for. */
  fields: readonly ChannelField[];
  /** Who answers for this recipient (a host, an account): what hangs or fails, does so for all that go there. */
  destinationOf(recipient: string, config: Config): string;
  send(envelope: Envelope, to: { config: Config; network: Network }): Promise<Outcome>;
  /** What the recipient gets, for those who look at it later: without secrets. The message as it is, where it is left out. */
  show?(envelope: Envelope, at: { config: Config; now: Temporal.Instant }): ShownMessage | null;
  /** Asks the provider whether the configuration is good; nothing is sent to anybody. */
  verify?(config: Config, network: Network): Promise<Verification>;
  /** Reads a call-back and checks that it is the provider's. The configuration then has the channel's `callback_token`. */
  parseCallback?(
    callback: Callback,
    known: { config: Config; now: Temporal.Instant },
  ): CallbackAnswer | Promise<CallbackAnswer>;
};

/** How a channel type of a workspace is sent: the adapter with its configuration, secrets opened. */
export type SendRoute = { adapter: Adapter<unknown>; config: unknown; channelId: string | null };

/** The installation's own way for workspaces without a channel of the type; null when it has none. */
export type DefaultRoute = (type: ChannelType, workspaceId: string) => SendRoute | null;
