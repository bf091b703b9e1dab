/** The spec's rule: the lowercased name with runs of other characters turned into hyphens, a hyphen, a timestamp. */
export function slugOf(name: string, now: Temporal.Instant): string {
  const words = name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
  return `${words === '' ? 'workspace' : words}-${now.epochMilliseconds}`;
}
