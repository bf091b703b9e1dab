/**
 * npm starts a script through a shell, and the shell does not pass a SIGTERM on: without this, stopping `npm start` would
 * leave the server running without a parent.
 */
export function stopWithParent(): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const watch = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(watch);
    process.kill(process.pid, 'SIGTERM');
  }, 500);
  watch.unref();
}
