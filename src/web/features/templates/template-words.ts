/** `no variables`, `1 variable`, `3 variables`. */
export const variablesText = (count: number): string =>
  count === 0 ? 'No variables' : count === 1 ? '1 variable' : `${count} variables`;

/** `not used yet`, `used once`, `used 5 times`. */
export function usedText(times: number): string {
  if (times === 0) return 'not used yet';
  return times === 1 ? 'used once' : `used ${times.toLocaleString('en')} times`;
}
