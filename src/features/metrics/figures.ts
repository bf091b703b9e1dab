import { AggregatorRegistry, type Registry } from 'prom-client';
import { z } from 'zod';

const Labels = z.record(z.string(), z.union([z.string(), z.number()]));

const Family = z.object({
  name: z.string(),
  help: z.string(),
  type: z.enum(['counter', 'gauge', 'histogram']),
  aggregator: z.enum(['sum', 'max', 'min']),
  /** The upper bounds of a histogram's buckets, the last of them `+Inf`. */
  bounds: z.array(z.union([z.number(), z.string()])).optional(),
  /** The value; for a histogram the count up to each bound, then the sum of all values. */
  series: z.array(z.object({ labels: Labels, values: z.array(z.number()) })),
});

/** The figures with one name, in a compact form: a histogram has one entry per label set, not one for each bucket. */
export type Family = z.output<typeof Family>;

export const Families = z.array(Family);

/** A value in prom-client's JSON. */
const Value = z.object({ labels: Labels, value: z.number(), metricName: z.string().optional() });

const Metric = z.object({
  name: z.string(),
  help: z.string(),
  type: z.string(),
  aggregator: z.string(),
  values: z.array(Value),
});

export async function familiesOf(registry: Pick<Registry, 'getMetricsAsJSON'>): Promise<Family[]> {
  const metrics = z.array(Metric).parse(await registry.getMetricsAsJSON());
  return metrics.map(({ values, ...metric }) =>
    metric.type === 'histogram'
      ? histogram(metric.name, { metric, values })
      : Family.parse({ ...metric, series: values.map(({ labels, value }) => ({ labels, values: [value] })) }),
  );
}

function histogram(
  name: string,
  { metric, values }: { metric: object; values: readonly z.output<typeof Value>[] },
): Family {
  const found = new Map<string, { labels: z.output<typeof Labels>; counts: number[]; sum: number }>();
  const bounds = new Set<number | string>();
  for (const { labels, value, metricName } of values) {
    const { le, ...own } = labels;
    const key = keyOf(own);
    const series = found.get(key) ?? { labels: own, counts: [], sum: 0 };
    found.set(key, series);
    if (metricName === `${name}_sum`) series.sum = value;
    else if (le !== undefined) {
      bounds.add(le);
      series.counts.push(value);
    }
  }
  const series = [...found.values()].map(({ labels, counts, sum }) => ({ labels, values: [...counts, sum] }));
  return Family.parse({ ...metric, bounds: [...bounds], series });
}

/** The sum of the figures of several threads as one text, in Prometheus' exposition format. */
export const printFigures = (of: readonly (readonly Family[])[]): Promise<string> =>
  AggregatorRegistry.aggregate(of.map((families) => families.map(asMetric))).metrics();

function asMetric({ bounds, series, ...family }: Family): object {
  if (bounds === undefined)
    return { ...family, values: series.map(({ labels, values: [value = 0] }) => ({ labels, value })) };
  const { name } = family;
  const values = series.flatMap(({ labels, values: counts }) => [
    ...bounds.map((le, index) => ({
      labels: { ...labels, le },
      value: counts[index] ?? 0,
      metricName: `${name}_bucket`,
    })),
    { labels, value: counts[bounds.length] ?? 0, metricName: `${name}_sum` },
    { labels, value: counts[bounds.length - 1] ?? 0, metricName: `${name}_count` },
  ]);
  return { ...family, values };
}

/** The figures that outlive their thread: counters. Gauges describe a state, which ends with it. */
export const countersOf = (families: readonly Family[]): Family[] => families.filter(({ type }) => type !== 'gauge');

/** The counters of several ended threads, added up. If a newer version has other bounds, only those are kept. */
export function addCounters(of: readonly (readonly Family[])[]): Family[] {
  const sums = new Map<string, Family>();
  for (const family of of.flat()) {
    const known = sums.get(family.name);
    sums.set(family.name, known === undefined || !isAlike(known, family) ? family : added(known, family));
  }
  return [...sums.values()];
}

const isAlike = (one: Family, other: Family) =>
  one.type === other.type && JSON.stringify(one.bounds) === JSON.stringify(other.bounds);

function added(one: Family, other: Family): Family {
  const series = new Map(one.series.map((each) => [keyOf(each.labels), each]));
  for (const { labels, values } of other.series) {
    const known = series.get(keyOf(labels))?.values ?? [];
    series.set(keyOf(labels), { labels, values: values.map((value, index) => value + (known[index] ?? 0)) });
  }
  return { ...other, series: [...series.values()] };
}

const keyOf = (labels: z.output<typeof Labels>) =>
  JSON.stringify(Object.entries(labels).toSorted(([a], [b]) => (a < b ? -1 : 1)));
