const mark = 'cuebird.reloaded-at';
const pauseMs = 30_000;

/**
 * A tab opened before an update requests files that no longer exist; a reload loads the new ones. It reloads only once,
 * so that a file that is really missing shows an error instead of a reload loop.
 */
export function reloadAfterUpdate(): void {
  window.addEventListener('vite:preloadError', (event) => {
    // Offline the file is not gone, and a reload would take what is typed with it.
    if (!navigator.onLine) return;
    const last = Number(sessionStorage.getItem(mark) ?? 0);
    if (Date.now() - last < pauseMs) return;
    sessionStorage.setItem(mark, String(Date.now()));
    event.preventDefault();
    window.location.reload();
  });
}
