import { z } from 'zod';
import { startTaskThread, type TaskThread } from '#platform/task-thread.ts';
import { smtpError } from './smtp-error.ts';

/** What the inbox shows of a mail. */
export type MailContent = { subject: string; text: string; html: string | null; headers: Record<string, string> };

export type MailReader = {
  /** @throws an SMTP refusal for a mail that is no mail, or takes too much time or memory to parse */
  read(raw: Buffer): Promise<MailContent>;
  stop(): Promise<void>;
};

const mostMs = 2_000;

/** Parses mails one after the other in a thread, which is started for the first one and after one that had to be ended. */
export function createMailReader(): MailReader {
  let thread: Promise<TaskThread<Uint8Array, MailContent>> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function readNext(raw: Buffer): Promise<MailContent> {
    thread ??= startMailThread();
    const started = await thread.catch((error: unknown) => {
      thread = null;
      throw error;
    });
    try {
      const outcome = await started.run(raw, { elapsedMs: mostMs });
      if (outcome.kind === 'answered') return outcome.answer;
    } catch {
      // A mail that cannot be parsed ends the thread too.
    }
    thread = null;
    throw smtpError(554, 'The message cannot be read, or takes too long to read');
  }

  return {
    read(raw) {
      const reading = last.then(() => readNext(raw));
      last = reading.catch(() => undefined);
      return reading;
    },
    async stop() {
      await last;
      await (await thread)?.stop();
    },
  };
}

const startMailThread = () =>
  startTaskThread<Uint8Array, MailContent>({
    name: 'mail',
    script: new URL('mail.worker.ts', import.meta.url),
    // The memory that a mail of 10 MB may need.
    memory: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16 },
    parseAnswer: (message) => MailContentShape.parse(message),
  });

const MailContentShape: z.ZodType<MailContent> = z.object({
  subject: z.string(),
  text: z.string(),
  html: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
});
