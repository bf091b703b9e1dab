import { createSearch, type Entry, type Found, type Search } from './search.ts';
import { playWalks } from './walks/player.ts';

const search = document.querySelector<HTMLElement>('search[data-index]');
if (search !== null) openSearch(search);
playWalks();

/** Shows the search field and its results while somebody types. The index is loaded when the field is first used. */
function openSearch(search: HTMLElement): void {
  const input = search.querySelector('input');
  const results = search.querySelector<HTMLElement>('.results');
  if (input === null || results === null) return;
  search.hidden = false;
  let loaded: Promise<Search> | null = null;
  const load = () => (loaded ??= loadSearch(search.dataset.index ?? ''));
  const show = async () => {
    const query = input.value;
    try {
      const found = (await load())(query);
      if (query !== input.value) return;
      fill(results, { query, found });
    } catch {
      loaded = null;
      results.querySelector('ul')?.replaceChildren();
      say(results, 'The search could not be loaded. Type again to try again.');
    }
  };
  input.addEventListener('focus', () => void load().catch(() => (loaded = null)), { once: true });
  input.addEventListener('input', () => void show());
  input.addEventListener('focus', () => input.value !== '' && void show());
  search.addEventListener('keydown', (event) => moveBy(event, { search, input, results }));
  document.addEventListener('keydown', (event) => {
    const isTyping = event.target instanceof Element && event.target.closest('input, textarea, [contenteditable]');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || isTyping) return;
    event.preventDefault();
    input.focus();
  });
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !search.contains(event.target)) results.hidden = true;
  });
}

async function loadSearch(address: string): Promise<Search> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`the search answered ${response.status}`);
  const entries: Entry[] = await response.json();
  return createSearch(entries);
}

function say(results: HTMLElement, text: string): void {
  const status = results.querySelector('.found');
  if (status !== null) status.textContent = text;
  results.hidden = false;
}

function fill(results: HTMLElement, { query, found }: { query: string; found: readonly Found[] }): void {
  const list = results.querySelector('ul');
  list?.replaceChildren(...found.map(itemOf));
  if (query.trim() === '') results.hidden = true;
  else if (found.length === 0) say(results, `Nothing is found for “${query.trim()}”.`);
  else say(results, found.length === 1 ? '1 result' : `${found.length} results`);
}

function itemOf({ path, page, heading, excerpt }: Found): HTMLElement {
  const link = document.createElement('a');
  link.href = path;
  const title = document.createElement('strong');
  title.textContent = heading === page ? page : `${page}: ${heading}`;
  const text = document.createElement('span');
  text.textContent = excerpt;
  link.append(title, text);
  const item = document.createElement('li');
  item.append(link);
  return item;
}

type Box = { search: HTMLElement; input: HTMLInputElement; results: HTMLElement };

/** Arrow keys move through the results; Escape returns to the field and closes them. */
function moveBy(event: KeyboardEvent, { search, input, results }: Box): void {
  if (results.hidden) return;
  if (event.key === 'Escape') {
    results.hidden = true;
    input.focus();
    event.preventDefault();
    return;
  }
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
  if (step === 0) return;
  const stops = [input, ...search.querySelectorAll<HTMLElement>('.results a')];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops[(at + step + stops.length) % stops.length]?.focus();
  event.preventDefault();
}
