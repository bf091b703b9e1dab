import { pictures } from './pictures/pictures.ts';
import { Section } from './Section.tsx';

/** Screens of the product, taken by `npm run pictures`. */
export const Pictures = () => (
  <Section id="product" title="See what happened" lead="Pictures of Cuebird itself, with the data of an example.">
    <ul className="pictures">
      {pictures.map(({ name, title, text }) => (
        <li key={name}>
          <h3>{title}</h3>
          <p>{text}</p>
          <Picture name={name} title={title} scheme="light" />
          <Picture name={name} title={title} scheme="dark" />
        </li>
      ))}
    </ul>
  </Section>
);

/** One of the two is shown, and only that one is loaded. */
const Picture = ({ name, title, scheme }: { name: string; title: string; scheme: 'light' | 'dark' }) => (
  <img
    className={`only-${scheme}`}
    src={`/pictures/${name}.${scheme}.webp`}
    width={1200}
    height={750}
    alt={`Screen: ${title}`}
    loading="lazy"
    decoding="async"
  />
);
