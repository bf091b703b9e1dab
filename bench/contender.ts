export type Track = {
  /** The owner's address of an empty database of its own. */
  databaseUrl: string;
  /** Where the webhooks go. */
  sinkUrl: string;
};

/** A number that must come out, and the one that did. */
export type Fact = { what: string; expected: number; found: number };

/** One way of sending n signed webhooks. */
export type Contender = {
  /** What it is and with which settings, in a line. */
  title: string;
  open(track: Track): Promise<{
    /** Makes n webhooks due; not timed. Adds to those of earlier calls, all of which were run. */
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
  'bare loop': './contenders/bare-loop.ts',
};

export const names = Object.keys(files);

/** Loaded when it is its turn: the packages of the peers are no dependencies of the product and may not be installed. */
export async function contenderOf(name: string): Promise<Contender> {
  const file = Object.entries(files).find(([known]) => known === name)?.[1];
  if (file === undefined) throw new Error(`Nobody here is called ${name}.`);
  const loaded: { contender: Contender } = await import(file);
  return loaded.contender;
}
