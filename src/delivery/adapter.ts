import type { TopicReason } from '#contract/topics.ts';
import type { z } from 'zod';
import type { ChannelField } from '#contract/channels.ts';
import type { ShownMessage } from '#contract/deliveries.ts';
import type { ChannelType } from '#contract/channel-types.ts';
import type { MailStyle } from '#domain/mail-style.ts';
import type { Outcome } from '#domain/outcome.ts';
import type { Brand } from '#domain/white-label.ts';
import type { OutboundHttp } from '#platform/outbound/http.ts';

/** One rendered message for one recipient. Plain data, so that it could be sent to a worker without a database. */
export type Envelope = {
  /** A UUID, the same for every attempt. webhook-id, Message-ID and idempotency keys are derived from it. */
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
  /** How many requests of Cuebird led to this message; none when absent. */
  hops?: number;
  /** The user whose browsers receive a push; every member's when absent. */
  push_to?: string;
  /** The workspace's name: the sender of mail whose channel names none. */
  company_name?: string;
  /** Set where the message is already in the notation of its channel; `html` is the body of a mail, unless it is too large. */
  formatted?: { html: string | null };
  /** The name and picture of the sender above the text of a mail, where the plan includes that. */
  brand?: Brand;
  /** How a mail in Markdown looks. */
  mail_style?: MailStyle;
  /** The secrets that sign a webhook whose channel has none, the newest first. */
  signing_secrets?: readonly string[];
  /** How the recipient can unsubscribe. Set for mail that people can leave and that is not a test, if this installation has a public address. */
  unsubscribe?: UnsubscribeLinks;
  /** Why nobody can leave the topic of the mail: it says so, and offers no way to unsubscribe. */
  required?: TopicReason;
};

export type UnsubscribeLinks = {
  /** A page for people, which asks for confirmation. */
  page: string;
  /** A URL for mail programs: a POST to it unsubscribes (RFC 8058). */
  oneClick: string;
};

/** Network access, passed in so that tests and the simulation can replace it. */
export type Network = {
  http: OutboundHttp;
  smtp: SmtpPools;
  now: () => Temporal.Instant;
  /** The address for a provider's callbacks; absent when this installation cannot be reached from outside. */
  callbackUrl?: (provider: string, token: string) => string;
  /** The address of a path of this installation. */
  publicUrl?: (path: string) => string;
  /** The addresses at which recipients unsubscribe. */
  unsubscribeLinks?: (of: {
    workspaceId: string;
    channel: ChannelType;
    recipient: string;
    topicId: string | null;
  }) => UnsubscribeLinks;
  /** The address at which a recipient changes what they get, until an instant. */
  preferencesLink?: (of: {
    workspaceId: string;
    channel: ChannelType;
    recipient: string;
    freshUntil: Temporal.Instant;
  }) => string;
};

/** One mail to one recipient, before it is encoded. */
export type Mail = {
  /** With angle brackets. The same for every attempt, so that servers and mailboxes recognise a duplicate. */
  messageId: string;
  /** The id that the server's delivery reports return (RFC 3461). */
  envelopeId?: string;
  from: { name: string; address: string };
  to: { name: string; address: string };
  /** The address for replies, if not the sender's. */
  replyTo?: string;
  /** The address for bounces, if not the sender's. */
  returnAddress?: string;
  subject: string;
  text: string;
  /** The HTML part; left out of a mail that would be too large with it. */
  html?: string;
  /** A file beside the text. Its name is ASCII without quotes. */
  attachment?: { name: string; mediaType: string; content: string };
  date: Date;
  headers: Record<string, string>;
};

/** A mail server, and how its connections are opened. */
export type SmtpServer = {
  smtp_host: string;
  smtp_port: number;
  use_tls: boolean;
  username: string;
  password: string;
};

/** The result of sending a mail. Network faults are results too and are not thrown. */
export type SmtpAnswer =
  /** The server took responsibility. `response` is its reply to the message. */
  | { kind: 'accepted'; response: string }
  /** The server refused the login, the sender, the recipient or the message. */
  | { kind: 'declined'; step: 'login' | 'message'; words: string; isPermanent: boolean }
  /** The message was not handed over: no name, no connection, no TLS, or the connection was lost before its end. */
  | { kind: 'not_sent'; reason: string /** This machine had no means to connect. */; isOwnFault?: boolean }
  /** The egress guard refused the connection, or the server does not support such an address. */
  | { kind: 'refused'; reason: string }
  /** The connection was lost after the end of the message: the server may or may not have accepted it. */
  | { kind: 'lost'; reason: string };

export type SmtpPools = {
  send(server: SmtpServer, mail: Mail): Promise<SmtpAnswer>;
  /** Closes all connections. Mail in flight ends as lost or not sent. */
  close(): void;
};

/** The result of checking a configuration with its provider, as a sentence for the person who entered it. */
export type Verification = { success: boolean; message: string };

/** A provider's request to the callback address of its channel. */
export type Callback = {
  method: 'GET' | 'POST';
  /** As the provider requested it, with its query, because signatures cover it. */
  url: URL;
  headers: Headers;
  body: Buffer;
};

/** The message that a report is about. `id` is its receipt. The others are our ids, if the provider returns them. */
type Reported = { id: string; deliveryId?: string /** Needed to find a mail in the ledger. */; jobId?: string };

/** What a provider reports. */
export type Report =
  | ({ kind: 'delivered' } & Reported)
  /**
   * `hasNoMailbox`: no message to this address will ever arrive. `reportId` distinguishes this report from a later one
   * when every attempt has the same `id`.
   */
  | ({ kind: 'failed'; reason: string; hasNoMailbox?: boolean; reportId?: string } & Reported)
  /** It is still on the way, delayed for the reason in `words`. */
  | ({ kind: 'delayed'; words: string } & Reported)
  /** A recipient replied with an opt-out, or took it back. */
  | OptOutReport;

/**
 * `sender` is a number in E.164. `messageId` is the reply's id at its provider, if the signature covers it: it
 * identifies a repeated reply. A reply without one can only opt out, not opt in again.
 */
export type OptOutReport = {
  kind: 'stopped' | 'resumed';
  sender: string;
  messageId: string | null;
  /** When it was written, by the provider's clock; null when the provider does not say. */
  sentAt: Temporal.Instant | null;
};

export type CallbackAnswer =
  /** The signature is valid. `reply` is the body that the provider expects, as `text/xml`, if it expects one. */
  | { kind: 'reports'; reports: readonly Report[]; reply?: string }
  /** The provider verifies the address and expects this answer. */
  | { kind: 'challenge'; answer: string }
  | { kind: 'refused'; reason: string };

/**
 * One provider of one channel type, exported as `adapter` by its own file `delivery/<type>/<provider>.adapter.ts`. It
 * needs no database, and never throws for a fault of the other side.
 */
export type Adapter<Config> = {
  type: ChannelType;
  provider: string;
  /** The provider's name for people. */
  title: string;
  /** Its position in the list of the type's providers. Those without one come last. */
  rank?: number;
  /** Validates a channel's configuration, with decrypted secrets. */
  shape: z.ZodType<Config>;
  /** Top-level configuration fields that are encrypted at rest and never returned by the API. */
  secretFields: readonly string[];
  /**
   * The fields that decide where secrets are sent (host, port, encryption, region). Changing one requires entering the
   * secrets again. `fixed` when no field decides it.
   */
  destinationFields: readonly string[] | 'fixed';
  /** Rules for new secrets that people make up, by field. A stored secret is not checked, so that it keeps working. */
  newSecrets?: Readonly<Record<string, z.ZodType<string>>>;
  /** The fields of the form. */
  fields: readonly ChannelField[];
  /**
   * The server or account behind this recipient. Its circuit breaker and its limit apply to all messages that go there.
   */
  destinationOf(recipient: string, config: Config): string;
  /** Whether a recipient is an address of its destination that may fail alone, such as one URL of a host. */
  hasAddresses?: true;
  send(envelope: Envelope, to: { config: Config; network: Network }): Promise<Outcome>;
  /** What the recipient gets, without secrets, for display. Default: the message as it is. */
  show?(envelope: Envelope, at: { config: Config; now: Temporal.Instant }): ShownMessage | null;
  /** Asks the provider whether the configuration works. Nothing is sent to a recipient. */
  verify?(config: Config, network: Network): Promise<Verification>;
  /**
   * The most callbacks of a channel in a minute, where the sender does not sign them, so that everybody who has seen the address could send some. More
   * are refused before their body is read.
   */
  callbacksPerMinute?: number;
  /** Parses a callback and verifies that the provider sent it. The configuration then includes `callback_token`. */
  parseCallback?(
    callback: Callback,
    known: { config: Config; now: Temporal.Instant },
  ): CallbackAnswer | Promise<CallbackAnswer>;
};

/** How a workspace sends over a channel type: the adapter with its configuration, with decrypted secrets. */
export type SendRoute = { adapter: Adapter<unknown>; config: unknown; channelId: string | null };

/** The installation's default for workspaces without a channel of the type; null when it has none. */
export type DefaultRoute = (type: ChannelType, workspaceId: string) => SendRoute | null;
