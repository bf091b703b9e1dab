import { audienceLimits, matchKey, Tag } from '#contract/audience.ts';

/** A tag with this name that nobody has yet: `tenants`, or else `tenants 2`. */
export function newTag(name: string, taken: readonly string[]): string {
  // A tags field ends a tag at commas and semicolons.
  const wanted = Tag.safeParse(name.replaceAll(/[\s,;]+/g, ' ').slice(0, longestName));
  const base = wanted.success ? wanted.data : 'imported';
  const keys = new Set(taken.map(matchKey));
  if (!keys.has(matchKey(base))) return base;
  let number = 2;
  while (keys.has(matchKey(`${base} ${number}`))) number += 1;
  return `${base} ${number}`;
}

/** Leaves space for a number. */
const longestName = audienceLimits.tag - 6;
