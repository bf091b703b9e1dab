/** The rule for a number field: `min` and `max` are included; decimals are allowed unless `isWhole`. */
export type NumberRule = { isWhole?: boolean | undefined; min?: number | undefined; max?: number | undefined };

/** The number that a text says, or the text itself where it says none; whole numbers may have commas between thousands. */
export function numberIn(text: string, { isWhole = false }: NumberRule): number | string {
  const trimmed = text.trim();
  if (isWhole && /^\d{1,3}(?:,\d{3}){1,4}$/.test(trimmed)) return Number(trimmed.replaceAll(',', ''));
  const isNumber = isWhole ? /^-?\d{1,15}$/.test(trimmed) : /^-?(?:\d{1,15}(?:\.\d{0,10})?|\.\d{1,10})$/.test(trimmed);
  return isNumber ? Number(trimmed) : trimmed;
}

/** The problem of a field's text; null when there is none. An empty field is left to its form. */
export function numberProblem(text: string, rule: NumberRule): { kind: 'text' | 'range'; sentence: string } | null {
  const value = numberIn(text, rule);
  if (value === '') return null;
  if (typeof value === 'string')
    return { kind: 'text', sentence: rule.isWhole === true ? 'must be a whole number' : 'must be a number' };
  const { min = -Infinity, max = Infinity } = rule;
  return value < min || value > max ? { kind: 'range', sentence: rangeText({ min, max }) } : null;
}

function rangeText({ min, max }: { min: number; max: number }): string {
  const [least, most] = [min.toLocaleString('en'), max.toLocaleString('en')];
  if (max === Infinity) return `must be at least ${least}`;
  return min === -Infinity ? `must be at most ${most}` : `must be from ${least} to ${most}`;
}
