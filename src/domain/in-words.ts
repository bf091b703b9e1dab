/** `1 job`, `1,200 jobs`, `2 people`. */
export const counted = (count: number, noun: string, plural = `${noun}s`) =>
  `${count.toLocaleString('en')} ${count === 1 ? noun : plural}`;

/** `Anna, Ben and Cleo`, or `Anna or Ben`. */
export const listed = (parts: readonly string[], joint: 'and' | 'or' = 'and') =>
  parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${joint} ${parts.at(-1)}`;

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
