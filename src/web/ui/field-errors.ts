import { ApiError } from '#web/api/client.ts';

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

/** Shows a refusal at the fields that it names: `refused: atFields(setErrors)` of an act. */
export const atFields =
  (show: (errors: Record<string, string>) => void) =>
  (error: unknown): boolean => {
    if (!(error instanceof ApiError) || error.fields.length === 0) return false;
    show(fieldErrors(error.fields));
    return true;
  };
