import { readFile } from 'node:fs/promises';

let common: Promise<ReadonlySet<string>> | undefined;

/** The file's first lines begin with # and name its source. */
async function loadList(): Promise<ReadonlySet<string>> {
  const text = await readFile(new URL('common-passwords.txt', import.meta.url), 'utf8');
  return new Set(
    text
      .split('\n')
      .filter((line) => !line.startsWith('# ') && line !== '#')
      .flatMap((line) => line.split(' ')),
  );
}

/** Whether a password is, in any case, among those that people use most, which attackers try first. */
export async function isCommonPassword(password: string): Promise<boolean> {
  common ??= loadList();
  return (await common).has(password.normalize('NFKC').toLowerCase());
}

export const tooCommon =
  'This is one of the passwords that are tried first. Choose another one: three or four unusual words are hard to guess and easy to keep in mind';
