import { variableKey } from '#contract/variable-name.ts';
import { personVariables } from '#domain/variables.ts';
import { useContactVariables } from '#web/api/contacts.ts';

/** The names of what messages take from contacts: their fields, then their own values. */
export function useVariablesOfPeople(): string[] {
  const { data = [] } = useContactVariables();
  return [...new Map([...data, ...personVariables].map((name) => [variableKey(name), name])).values()];
}
