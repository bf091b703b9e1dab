// Runs before the first paint, so that a dark page never flashes white.
(() => {
  let chosen = 'auto';
  try {
    chosen = localStorage.getItem('cuebird.theme') ?? 'auto';
  } catch {
    // Storage may be forbidden; the system's scheme is then the choice.
  }
  const dark = chosen === 'dark' || (chosen !== 'light' && matchMedia('(prefers-color-scheme: dark)').matches);
  document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
})();
