import { createRequire } from 'node:module';

/**
 * Cuebird preloads this module, which sends each SQL statement of a request to the parent process. It loads the product's own library,
 * not the version that the peers install.
 */
const require = createRequire(new URL('../../package.json', import.meta.url));
const { Client }: typeof import('pg') = require('pg');

const send = Client.prototype.query;

Object.defineProperty(Client.prototype, 'query', {
  value(this: InstanceType<typeof Client>, ...args: unknown[]) {
    const [statement, values] = args;
    if (typeof statement === 'string' && this.user?.startsWith('cuebird_app'))
      process.send?.({ text: statement, values: Array.isArray(values) ? values : [] });
    return Reflect.apply(send, this, args);
  },
});
