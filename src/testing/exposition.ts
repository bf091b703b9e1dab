import parse from 'parse-prometheus-text-format';

/** The series of one name with these labels among others; of a histogram those of its counts. */
export function seriesIn(text: string, { name, labels = {} }: { name: string; labels?: Record<string, string> }) {
  // The parser leaves the labels of histograms out; what it takes for simple figures keeps them.
  const families = parse(text.replaceAll(/^# TYPE \S+ histogram$/gm, ''));
  const found = families.filter((family) => family.name === name || family.name === `${name}_count`);
  const series = found.flatMap((family) => family.metrics);
  return series.filter((one) => Object.entries(labels).every(([label, value]) => one.labels?.[label] === value));
}

/** The sum of these series; null where there is none. */
export function figureIn(text: string, of: Parameters<typeof seriesIn>[1]): number | null {
  const found = seriesIn(text, of);
  return found.length === 0 ? null : found.reduce((sum, { value }) => sum + Number(value), 0);
}
