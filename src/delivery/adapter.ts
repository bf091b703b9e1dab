import type { z } from 'zod';
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
};

/** The network, passed in so that tests and the simulation can put their own in its place. */
export type Network = {
  http: OutboundHttp;
  smtp: SmtpPools;
  now: () => Temporal.Instant;
};

/** One provider of one channel type. It needs no database and never throws for what the other side did. */
export type Adapter<Config> = {
  type: ChannelType;
  provider: string;
  /** Checks a channel's configuration with its secrets opened. */
  shape: z.ZodType<Config>;
  /** Top-level configuration fields that are sealed at rest and never returned by the API. */
  secretFields: readonly string[];
  /** Who answers for this recipient (a host, an account): what hangs or fails, does so for all that go there. */
  destinationOf(recipient: string, config: Config): string;
  send(envelope: Envelope, to: { config: Config; network: Network }): Promise<Outcome>;
};

/** How a channel type of a workspace is sent: the adapter with its configuration, secrets opened. */
export type SendRoute = { adapter: Adapter<unknown>; config: unknown; channelId: string | null };

/** The installation's own way for workspaces without a channel of the type; null when it has none. */
export type DefaultRoute = (type: ChannelType, workspaceId: string) => SendRoute | null;
