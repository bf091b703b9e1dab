import { variablesOf } from '#domain/event-data.ts';
import { Invalid } from '#platform/errors.ts';

/** The variables that the data of an event in the field `data` brings. Throws Invalid for data that cannot be used. */
export function variablesIn(data: Record<string, unknown>): Record<string, string> {
  const taken = variablesOf(data);
  if ('values' in taken) return taken.values;
  const { path, message } = taken.problem;
  throw new Invalid([{ path: path === '' ? 'data' : `data.${path}`, message }]);
}
