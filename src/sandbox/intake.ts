import type { ChannelType } from '#contract/channel-types.ts';

/** A message that the sandbox received. Its texts hold no NUL character. */
export type SandboxMessage = {
  id: string;
  /** The workspace; null for account mail. */
  workspace_id: string | null;
  channel: ChannelType;
  /** The emulated provider; null for mail and webhook requests. */
  provider: string | null;
  sender: string;
  recipient: string;
  subject: string;
  text: string;
  html: string | null;
  /** The headers by lower-case name. */
  headers: Record<string, string>;
  /** The whole request, where the text is only a part of it. */
  raw: string | null;
  /** The number of SMS segments. */
  segments: number | null;
  /** The URL to which the provider reports on the message. */
  callback_url: string | null;
  /** The message that this one answers. */
  reply_to: string | null;
  raw_size: number;
  /** When it arrived, as an ISO instant. */
  received_at: string;
};

export type StoreMessages = (messages: readonly SandboxMessage[]) => Promise<void>;

export type Intake = {
  /** Resolves once the message is stored, rejects when it could not be. */
  keep(message: SandboxMessage): Promise<void>;
  settled(): Promise<void>;
};

type Waiting = { message: SandboxMessage; resolve: () => void; reject: (error: unknown) => void };

const batchLimit = 500;

/**
 * While one batch is being stored the next one gathers: a single message does not wait, and a flood costs few round
 * trips.
 */
export function createIntake(store: StoreMessages): Intake {
  let waiting: Waiting[] = [];
  let isStoring = false;
  let lastRun = Promise.resolve();

  function keep(message: SandboxMessage): Promise<void> {
    return new Promise((resolve, reject) => {
      waiting.push({ message, resolve, reject });
      if (!isStoring) lastRun = storeAll();
    });
  }

  async function storeAll(): Promise<void> {
    isStoring = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, batchLimit);
      waiting = waiting.slice(batchLimit);
      await storeBatch(store, batch);
    }
    // Set synchronously after the last look at the queue. Otherwise a message could arrive in between and wait for
    // ever.
    isStoring = false;
  }

  return { keep, settled: () => lastRun };
}

async function storeBatch(store: StoreMessages, batch: readonly Waiting[]): Promise<void> {
  try {
    await store(batch.map(({ message }) => message));
    for (const { resolve } of batch) resolve();
  } catch (error) {
    const [only, ...others] = batch;
    if (only && others.length === 0) return only.reject(error);
    // One message that cannot be stored (of a workspace just deleted, for example) must not fail the others.
    for (const one of batch) await storeBatch(store, [one]);
  }
}

/** PostgreSQL text stores every character but NUL. */
export function storable(text: string): string {
  return text.includes('\0') ? text.replaceAll('\0', '') : text;
}
