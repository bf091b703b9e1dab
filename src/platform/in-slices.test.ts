import { expect, it } from 'vitest';
import { finishInSlices, mapInSlices, sliceSize } from '#platform/in-slices.ts';

it('a long list is mapped in order, and others are served after each slice of it', async () => {
  let mapped = 0;
  const seen: number[] = [];
  let isDone = false;
  const watch = () => {
    seen.push(mapped);
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  const list = Array.from({ length: 20 * sliceSize + 1 }, (_, at) => at);
  const doubled = await mapInSlices(list, (item) => {
    mapped += 1;
    return item * 2;
  });
  isDone = true;
  expect(doubled).toEqual(list.map((item) => item * 2));
  const steps = seen.map((at, index) => at - (seen[index - 1] ?? 0));
  expect(Math.max(...steps)).toBe(sliceSize);
  expect(seen.length).toBeGreaterThanOrEqual(20);
});

it('a long computation comes to its result, and others are served after each slice of it', async () => {
  let others = 0;
  let isDone = false;
  const watch = () => {
    others += 1;
    if (!isDone) setImmediate(watch);
  };
  setImmediate(watch);
  function* count() {
    let steps = 0;
    for (; steps < 20 * sliceSize; steps += 1) yield;
    return steps;
  }
  expect(await finishInSlices(count())).toBe(20 * sliceSize);
  isDone = true;
  expect(others).toBeGreaterThanOrEqual(19);
});

it('a list begins with a pause when other work has filled the slice', async () => {
  const order: string[] = [];
  setImmediate(() => order.push('another request'));
  await mapInSlices(['first'], (item) => order.push(item), { slice: { size: sliceSize } });
  expect(order).toEqual(['another request', 'first']);
});

it('a short list is mapped without a pause', async () => {
  let isPaused = false;
  setImmediate(() => (isPaused = true));
  expect(await mapInSlices([1, 2], (item) => -item)).toEqual([-1, -2]);
  expect(isPaused).toBe(false);
});
