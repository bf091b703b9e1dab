type Wrong = { path: PropertyKey[] | string; message: string };

/** What is wrong, by the path of the field that shows it: an item of a list is shown by its list's field. */
export function fieldErrors(wrongs: readonly Wrong[]): Record<string, string> {
  const errors: Record<string, string> = {};
  for (const { path, message } of wrongs) {
    const whole = typeof path === 'string' ? path : path.join('.');
    errors[whole.replace(/(\.\d+)+$/, '')] ??= message;
  }
  return errors;
}
