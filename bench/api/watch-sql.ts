import { createRequire } from 'node:module';

/**
 * Cuebird preloads this module, which sends each SQL statement of a request to the parent process: Cuebird's pool hands the driver a
 * `Query` for each. It loads the product's own library, not the version that the peers install.
 */
const require = createRequire(new URL('../../package.json', import.meta.url));
const { Client, Query }: typeof import('pg') = require('pg');

const send = Client.prototype.query;

Object.defineProperty(Client.prototype, 'query', {
  value(this: InstanceType<typeof Client>, ...args: unknown[]) {
    const [query] = args;
    if (query instanceof Query && 'text' in query && this.user?.startsWith('cuebird_app'))
      process.send?.({
        text: query.text,
        values: 'values' in query && Array.isArray(query.values) ? query.values : [],
      });
    return Reflect.apply(send, this, args);
  },
});
