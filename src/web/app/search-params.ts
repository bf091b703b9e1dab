/** The parameters of a URL as text: the router's parser would read `2026` and `12e34567` as numbers. */
export const parseSearch = (search: string): Record<string, string> => Object.fromEntries(new URLSearchParams(search));

/** Writes parameters, with the `?`. Undefined ones are left out. */
export function stringifySearch(values: Record<string, unknown>): string {
  const texts = Object.entries(values).filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return texts.length === 0 ? '' : `?${new URLSearchParams(texts)}`;
}
