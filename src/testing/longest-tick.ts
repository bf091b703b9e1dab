/**
 * The longest tick of this thread's event loop while some work is done, in milliseconds of processor time: what another request has to wait for, however
 * busy the machine is.
 */
export async function longestTickMs(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let isOver = false;
  let before = process.threadCpuUsage();
  const ended = Promise.withResolvers<void>();
  const tick = () => {
    const { user, system } = process.threadCpuUsage(before);
    longest = Math.max(longest, (user + system) / 1_000);
    before = process.threadCpuUsage();
    if (isOver) ended.resolve();
    else setImmediate(tick);
  };
  setImmediate(tick);
  await work();
  isOver = true;
  await ended.promise;
  return longest;
}
