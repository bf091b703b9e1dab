import { createRequire } from 'node:module';

/**
 * Loaded into Cuebird before anything else: tells the parent each statement that requests send to the database. The
 * library is the product's own, not the one that the peers bring.
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
