import { createRequire } from 'node:module';

/** The product's own library, not the version that the peers install. */
const require = createRequire(new URL('../../package.json', import.meta.url));
const { Query }: typeof import('pg') = require('pg');

/** Collects the name of each named statement that this process sends from now on, by its text. */
export function watchStatementNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const { submit } = Query.prototype;
  // Connections that are open already use it too.
  Query.prototype.submit = function watched(connection) {
    if (isNamed(this)) names.set(this.text, this.name);
    return Reflect.apply(submit, this, [connection]);
  };
  return names;
}

const isNamed = (statement: object): statement is { name: string; text: string } =>
  'name' in statement &&
  typeof statement.name === 'string' &&
  'text' in statement &&
  typeof statement.text === 'string';
