import { argon2, randomBytes, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Hashes passwords, and checks them. */
export type Passwords = {
  hash(password: string): Promise<string>;
  verify(tried: { hash: string; password: string }): Promise<boolean>;
};

/** The first choice of OWASP's Password Storage Cheat Sheet: Argon2id with 19 MiB, two passes and one lane. */
const costs = { memory: 19_456, passes: 2, parallelism: 1 };
const prefix = `$argon2id$v=19$m=${costs.memory},t=${costs.passes},p=${costs.parallelism}$`;
const form = /^\$argon2id\$v=19\$m=(\d{1,7}),t=(\d{1,2}),p=(\d{1,2})\$([\w+/]{22})\$([\w+/]{43})$/;

const derive = promisify(argon2);
const tagOf = (password: string, { nonce, ...cost }: typeof costs & { nonce: Buffer }): Promise<Buffer> =>
  derive('argon2id', { ...cost, nonce, tagLength: 32, message: password.normalize('NFKC') });

const base64 = (bytes: Buffer) => bytes.toString('base64').replaceAll('=', '');

/** Hashes in the PHC string format, which contains the costs. */
export const passwords: Passwords = {
  async hash(password) {
    const nonce = randomBytes(16);
    return `${prefix}${base64(nonce)}$${base64(await tagOf(password, { ...costs, nonce }))}`;
  },
  async verify({ hash, password }) {
    const [, memory, passes, parallelism, nonce = '', tag = ''] = form.exec(hash) ?? [];
    if (memory === undefined) return false;
    const cost = { memory: Number(memory), passes: Number(passes), parallelism: Number(parallelism) };
    return timingSafeEqual(
      await tagOf(password, { ...cost, nonce: Buffer.from(nonce, 'base64') }),
      Buffer.from(tag, 'base64'),
    );
  },
};
