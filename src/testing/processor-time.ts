/**
 * The processor time of this thread that some work takes, in milliseconds: the least of three runs, so that neither a busy machine nor code that runs for
 * the first time counts.
 */
export function processorMs(work: () => void): number {
  const once = () => {
    const before = process.threadCpuUsage();
    work();
    const { user, system } = process.threadCpuUsage(before);
    return (user + system) / 1_000;
  };
  return Math.min(once(), once(), once());
}
