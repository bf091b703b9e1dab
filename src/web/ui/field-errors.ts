type Wrong = { path: PropertyKey[] | string; message: string };

/** Error messages by field path: errors of list items belong to the list's field. */
export function fieldErrors(wrongs: readonly Wrong[]): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of wrongs) {
    const whole = typeof path === 'string' ? path : path.join('.');
    errors[withoutIndex(whole)] ??= message;
  }
  return errors;
}

function withoutIndex(path: string): string {
  const parts = path.split('.');
  while (parts.length > 1 && /^\d+$/.test(parts.at(-1) ?? '')) parts.pop();
  return parts.join('.');
}
