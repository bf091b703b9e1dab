/** How long a step is shown: long enough to read its caption, per character and at least. */
const msPerCharacter = 60;
const leastMs = 3_500;

/** Turns each walk-through into a player: one step at a time, by itself or by hand. */
export function playWalks(): void {
  for (const walk of document.querySelectorAll<HTMLElement>('[data-walk]')) makePlayer(walk);
}

function makePlayer(walk: HTMLElement): void {
  const list = walk.querySelector('ol');
  const steps = [...walk.querySelectorAll<HTMLElement>('ol > li')];
  const controls = walk.querySelector<HTMLElement>('.walk-controls');
  const [play, previous, next] = ['play', 'previous', 'next'].map((name) =>
    walk.querySelector<HTMLButtonElement>(`[data-${name}]`),
  );
  const progress = walk.querySelector('progress');
  if (list === null || controls === null || !play || !previous || !next || progress === null) return;
  const lessMotion = matchMedia('(prefers-reduced-motion: reduce)');
  let shown = 0;
  let timer: ReturnType<typeof setTimeout> | null = null;

  const show = (at: number) => {
    shown = Math.max(0, Math.min(steps.length - 1, at));
    for (const [index, step] of steps.entries()) step.hidden = index !== shown;
    loadPicture(steps[shown + 1]);
    progress.value = shown + 1;
    // Not disabled, because the pressed button would lose the focus.
    previous.setAttribute('aria-disabled', String(shown === 0));
    next.setAttribute('aria-disabled', String(shown === steps.length - 1));
  };
  const stop = () => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
    play.textContent = shown === steps.length - 1 ? 'Play again' : 'Play';
    // Announced only when steps are changed by hand: while it plays, each caption would interrupt the one before.
    list.setAttribute('aria-live', 'polite');
  };
  const wait = () => {
    const length = steps[shown]?.querySelector('figcaption')?.textContent?.length ?? 0;
    timer = setTimeout(
      () => {
        if (shown === steps.length - 1) return stop();
        show(shown + 1);
        wait();
      },
      Math.max(leastMs, length * msPerCharacter),
    );
  };
  const start = () => {
    show(shown === steps.length - 1 ? 0 : shown);
    play.textContent = 'Pause';
    list.setAttribute('aria-live', 'off');
    wait();
  };
  const goTo = (at: number) => {
    stop();
    show(at);
    stop();
  };

  play.addEventListener('click', () => (timer === null ? start() : stop()));
  previous.addEventListener('click', () => goTo(shown - 1));
  next.addEventListener('click', () => goTo(shown + 1));
  walk.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const to = { ArrowLeft: shown - 1, ArrowRight: shown + 1, Home: 0, End: steps.length - 1 }[event.key];
    if (to === undefined) return;
    goTo(to);
    event.preventDefault();
  });
  document.addEventListener('visibilitychange', () => document.hidden && timer !== null && stop());
  const followMotion = () => {
    if (lessMotion.matches) stop();
    play.hidden = lessMotion.matches;
  };
  lessMotion.addEventListener('change', followMotion);
  walk.dataset.walk = 'player';
  controls.hidden = false;
  show(0);
  stop();
  followMotion();
}

/** Loads a step's picture before it is shown, and only that of the current scheme. */
function loadPicture(step: HTMLElement | undefined): void {
  const scheme = document.documentElement.dataset.mantineColorScheme ?? 'light';
  const picture = step?.querySelector<HTMLImageElement>(`img.only-${scheme}`);
  if (picture) picture.loading = 'eager';
}
