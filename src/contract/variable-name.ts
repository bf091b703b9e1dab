/**
 * The key by which names of variables are compared: case, spaces and underscores do not count, so that an imported `Move In Date` is
 * `{{move_in_date}}`.
 */
export function variableKey(name: string): string {
  const key = name.replaceAll(/[\s_]/g, '').toLowerCase();
  return key === '' ? name : key;
}

/** The first two of these names that are the same variable; null when all differ. */
export function sameNames(names: readonly string[]): [string, string] | null {
  const known = new Map<string, string>();
  for (const name of names) {
    const key = variableKey(name);
    const other = known.get(key);
    if (other !== undefined) return [other, name];
    known.set(key, name);
  }
  return null;
}
