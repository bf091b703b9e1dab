// Runs before the first paint, so that a dark page never flashes white; then follows the system.
(() => {
  const system = matchMedia('(prefers-color-scheme: dark)');
  const apply = () => {
    let chosen = 'auto';
    try {
      chosen = localStorage.getItem('cuebird.theme') ?? 'auto';
    } catch {
      // Storage may be forbidden; the system's scheme is then the choice.
    }
    const dark = chosen === 'dark' || (chosen !== 'light' && system.matches);
    document.documentElement.setAttribute('data-mantine-color-scheme', dark ? 'dark' : 'light');
  };
  apply();
  system.addEventListener('change', apply);
})();
