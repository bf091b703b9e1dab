const mark = 'cuebird.reloaded-at';
const pauseMs = 30_000;

/**
 * A tab that was open while Cuebird was updated asks for files that are gone. Loading the page anew brings the new ones;
 * once, so that a file that is really missing shows its error instead of a page that reloads for ever.
 */
export function reloadAfterUpdate(): void {
  window.addEventListener('vite:preloadError', (event) => {
    const last = Number(sessionStorage.getItem(mark) ?? 0);
    if (Date.now() - last < pauseMs) return;
    sessionStorage.setItem(mark, String(Date.now()));
    event.preventDefault();
    window.location.reload();
  });
}
