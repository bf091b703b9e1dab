export type Track = {
  /** The owner's address of a database of its own. */
  databaseUrl: string;
  /** Where the webhooks or mails go. */
  sinkUrl: string;
  /** An empty Redis, for those who need one. */
  redisUrl: string | null;
};

/** A number that must come out, and the one that did. */
export type Fact = { what: string; expected: number; found: number };

/** One way of sending n signed webhooks, or n mails. */
export type Contender = {
  /** What it is and with which settings, in a line. */
  title: string;
  open(track: Track): Promise<{
    /** Makes n of them due; not timed. Adds to those of earlier calls, all of which were run. */
    prepare(n: number): Promise<void>;
    /** Sends what is due. Resolves when the last one is recorded, to the milliseconds it took. */
    run(n: number): Promise<number>;
    /** What the database must hold after all the runs. */
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
  'cuebird mail': './contenders/cuebird-mail.ts',
  'bare nodemailer': './contenders/bare-nodemailer.ts',
};

export type ContenderName = keyof typeof files;

/** Loaded when it is its turn: the packages of the peers are no dependencies of the product and may not be installed. */
export async function contenderOf(name: ContenderName): Promise<Contender> {
  const loaded: { contender: Contender } = await import(files[name]);
  return loaded.contender;
}
