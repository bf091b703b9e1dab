// What the documentation does beyond its links: the search, and the walk-throughs, which play.
import { openSearch } from './search-box.ts';
import { playWalks } from './walks/player.ts';

const search = document.querySelector<HTMLElement>('search[data-index]');
if (search !== null) openSearch(search);
playWalks();
