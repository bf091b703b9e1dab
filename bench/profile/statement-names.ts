import { createRequire } from 'node:module';

/** The product's own library, not the version that the peers install. */
const require = createRequire(new URL('../../package.json', import.meta.url));
const { Client }: typeof import('pg') = require('pg');

/** Collects the name of each named statement that this process sends from now on, by its text. */
export function watchStatementNames(): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const send = Client.prototype.query;
  Object.defineProperty(Client.prototype, 'query', {
    value(this: InstanceType<typeof Client>, ...args: unknown[]) {
      const [statement] = args;
      if (isNamed(statement)) names.set(statement.text, statement.name);
      return Reflect.apply(send, this, args);
    },
  });
  return names;
}

const isNamed = (statement: unknown): statement is { name: string; text: string } =>
  typeof statement === 'object' &&
  statement !== null &&
  'name' in statement &&
  typeof statement.name === 'string' &&
  'text' in statement &&
  typeof statement.text === 'string';
