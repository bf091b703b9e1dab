/** The bird and the name, which lead to the first page. */
export const Brand = ({ label }: { label: string }) => (
  <a className="brand" href="/" aria-label={label}>
    <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
      <path className="head" d="M2 29V14A12 12 0 0 1 26 14A12 12 0 0 1 14 26H9Z" />
      <path className="wing" d="M2 29V19A8 8 0 0 1 12 19A9 9 0 0 1 9 26Z" />
      <path className="beak" d="M25.4 9.5L32 14L25.4 18.5Z" />
      <circle className="eye" cx="18" cy="11.5" r="2.4" />
    </svg>
    Cuebird
  </a>
);
