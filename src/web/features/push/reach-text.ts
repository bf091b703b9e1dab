/** How many browsers and members a push message of the workspace reaches. */
export function reachText({ browsers, members }: { browsers: number; members: number }): string {
  if (browsers === 0) return 'Nobody in this workspace has turned push on yet.';
  return `Push reaches ${count(browsers, 'browser')} of ${count(members, 'member')} of this workspace.`;
}

const count = (number: number, noun: string) => `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
