import pg from 'pg';

/**
 * Makes the driver forget the rows and parameters of a query once its rows are handed over. The driver assigns a callback to
 * each query, and V8 allocates a function that is assigned to a property among the old objects (`x.y = () => {}`; it
 * expects a method). Collections of young objects take all old ones to be in use, so the callback kept whatever it refers
 * to until the next collection of everything (decision 78).
 */
export function releaseResults(client: Pick<pg.Client, 'query'>): void {
  client.query = new Proxy(client.query, {
    apply(send, self, args: unknown[]) {
      // No function is created here, because it would keep the parameters alive.
      const [config, values] = args.filter((arg) => !isFunction(arg));
      if (!isStatement(config)) return Reflect.apply(send, self, args);
      const callback = args.find(isFunction);
      if (callback !== undefined) return void Reflect.apply(send, self, [queryOf({ config, values }, callback)]);
      const { promise, resolve, reject } = Promise.withResolvers();
      Reflect.apply(send, self, [queryOf({ config, values }, settlerOf(resolve, reject))]);
      return promise.catch(throwFromHere);
    },
  });
}

type Statement = string | { query_timeout?: unknown };
type Answer = (error: unknown, result?: unknown) => void;

const isFunction = (arg: unknown): arg is Answer => typeof arg === 'function';

/** False for a query object that a caller has made, which the driver takes as it is. */
const isStatement = (config: unknown): config is Statement =>
  typeof config === 'string' || (typeof config === 'object' && config !== null && !('submit' in config));

const settlerOf =
  (resolve: (result: unknown) => void, reject: (error: unknown) => void): Answer =>
  (error, result) =>
    error ? reject(error) : resolve(result);

function queryOf({ config, values }: { config: Statement; values: unknown }, answer: Answer): pg.Query {
  const query: pg.Query = Reflect.construct(pg.Query, [config, values]);
  // The driver reads this when it sends the query.
  if (typeof config === 'object') Object.assign(query, { query_timeout: config.query_timeout });
  return Object.assign(query, { callback: releasing(query, answer) });
}

/** Also releases the function that receives the answer, because it may refer to the parameters. */
function releasing(query: pg.Query, answer: Answer): Answer {
  let waiting: Answer | null = answer;
  return (error, result) => {
    const then = waiting;
    waiting = null;
    if (!error) Object.assign(query, nothing);
    then?.(error, result);
  };
}

/** The names under which the driver's `Query` keeps them. */
const nothing = { _result: null, _results: null, values: null };

/** Throws an error with this stack: the driver's would lead to a socket, and not to the caller. */
function throwFromHere(error: unknown): never {
  if (error instanceof Error) Error.captureStackTrace(error, throwFromHere);
  throw error;
}
