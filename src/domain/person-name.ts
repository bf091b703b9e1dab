type Parts = { first_name: string | null; last_name: string | null };
type Named = Parts & { name: string | null };

/** First and last name in one; null where there is neither. */
export const joinedName = ({ first_name: first, last_name: last }: Parts): string | null =>
  first === null && last === null ? null : [first, last].filter((part) => part !== null).join(' ');

/** A whole name that was not written otherwise than its parts say follows them. */
export const followsParts = (named: Named): boolean => named.name === null || named.name === joinedName(named);

/** The whole name of a person whose parts are given anew: as it is written, else that of the parts. */
export const wholeName = ({ name, ...parts }: Named): string | null => name ?? joinedName(parts);

/**
 * The whole name after more was said of a person; `merged` has the parts of both. A name that follows its parts goes on to do so; one that was
 * written otherwise stays, until both parts are told and one of them is new.
 */
export function nameAfter(known: Named, { said, merged }: { said: Named; merged: Parts }): string | null {
  if (said.name !== null) return said.name;
  const parts = joinedName(merged);
  if (followsParts(known)) return parts ?? known.name;
  const isRenamed = merged.first_name !== known.first_name || merged.last_name !== known.last_name;
  return said.first_name !== null && said.last_name !== null && isRenamed ? parts : known.name;
}
