export type Track = {
  /** The owner's URL of a separate database. */
  databaseUrl: string;
  /** The destination of the webhooks or mails. */
  sinkUrl: string;
  /** The URL of an empty Redis, for contenders that need one. */
  redisUrl: string | null;
};

/** An expected number and the actual one. */
export type Fact = { what: string; expected: number; found: number };

/** A program that sends n signed webhooks, or n mails. */
export type Contender = {
  /** The program and its settings, in one line. */
  title: string;
  open(track: Track): Promise<{
    /** Adds n due jobs, untimed. All jobs of earlier calls have been run. */
    prepare(n: number): Promise<void>;
    /** Sends the due jobs. Resolves when the last result is recorded, to the duration in milliseconds. */
    run(n: number): Promise<number>;
    /** The expected contents of the database after all runs. */
    facts(total: number): Promise<Fact[]>;
    close(): Promise<void>;
  }>;
};

const files = {
  cuebird: './contenders/cuebird.ts',
  'graphile-worker': './peers/graphile-worker.ts',
  'pg-boss': './peers/pg-boss.ts',
  'pg-boss, recorded by the batch': './peers/pg-boss-by-batch.ts',
  bullmq: './peers/bullmq.ts',
  'bare loop': './contenders/bare-loop.ts',
  'cuebird, by address': './contenders/cuebird-by-address.ts',
  'cuebird, by audience': './contenders/cuebird-by-audience.ts',
  'cuebird mail': './contenders/cuebird-mail.ts',
  'bare nodemailer': './contenders/bare-nodemailer.ts',
};

export type ContenderName = keyof typeof files;

/** Loads a contender when it runs: the peers' packages are not dependencies of the product and may be missing. */
export async function contenderOf(name: ContenderName): Promise<Contender> {
  const loaded: { contender: Contender } = await import(files[name]);
  return loaded.contender;
}
