import pg from 'pg';

/**
 * Makes the driver forget the rows and parameters of a query once its rows are handed over. It assigns a callback to each
 * query, and V8 allocates a function that is assigned to a property among the old objects (`x.y = () => {}`; it expects
 * a method). Collections of young objects take all old ones to be in use, so the callback kept its query, with its rows,
 * until the next collection of everything, and they were copied twice until then.
 */
export function releaseResults(client: Pick<pg.Client, 'query'>): void {
  client.query = new Proxy(client.query, {
    apply(send, self, args: unknown[]) {
      const [config, values] = args.filter((arg) => typeof arg !== 'function');
      const isText = typeof config === 'string';
      if (!isText && (typeof config !== 'object' || config === null || 'submit' in config))
        return Reflect.apply(send, self, args);
      const sent = (answer: Answer) => {
        const query: pg.Query = Reflect.construct(pg.Query, [
          config,
          values,
          ((error, result) => {
            if (!error) Object.assign(query, nothing);
            answer(error, result);
          }) satisfies Answer,
        ]);
        Reflect.apply(send, self, [query]);
      };
      const callback = args.find((arg) => typeof arg === 'function');
      if (callback !== undefined) return sent((...answer) => void Reflect.apply(callback, undefined, answer));
      return new Promise((resolve, reject) => {
        sent((error, result) => (error ? reject(error) : resolve(result)));
      }).catch(throwFromHere);
    },
  });
}

type Answer = (error: Error | null | undefined, result?: unknown) => void;

/** What the driver's `Query` calls what it keeps. */
const nothing = { _result: null, _results: null, values: null };

/** As the driver does: its own stack leads to a socket, and not to whoever asked. */
function throwFromHere(error: unknown): never {
  if (error instanceof Error) Error.captureStackTrace(error);
  throw error;
}
