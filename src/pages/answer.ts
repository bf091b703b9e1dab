// What the scripts of the pages read of an answer of the API.

/** The reason of a refusal: that of a field, if it names one. */
export function messageIn(answer: unknown, otherwise: string): string {
  const [first] = fieldsIn(answer);
  const text = first?.message ?? memberOf(memberOf(answer, 'error'), 'message');
  return typeof text === 'string' ? text : otherwise;
}

/** The wrong fields and why; none where the refusal is about something else. */
export function fieldsIn(answer: unknown): { path: string; message: string }[] {
  const fields = memberOf(memberOf(answer, 'error'), 'fields');
  return (Array.isArray(fields) ? fields : []).flatMap((field) => {
    const [path, message] = [memberOf(field, 'path'), memberOf(field, 'message')];
    return typeof path === 'string' && typeof message === 'string' ? [{ path, message }] : [];
  });
}

export const memberOf = (of: unknown, name: string): unknown =>
  typeof of === 'object' && of !== null ? Reflect.get(of, name) : undefined;
