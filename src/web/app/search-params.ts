/** The parameters of a URL as the texts that they are: the router's own parser would make numbers of `2026` and `12e34567`. */
export const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search));

/** The other direction, with the `?`. Parameters are texts; what is undefined is left out. */
export function stringifySearch(values: Record<string, unknown>): string {
  const texts = Object.entries(values).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return texts.length === 0 ? '' : `?${new URLSearchParams(texts)}`;
}
