import { DocsFrame } from '#pages/docs/DocsFrame.tsx';
import { docsPath, tutorials } from '#contract/docs-pages.ts';
import { pictureOf, spotOf, type Walk, type WalkStep, walks } from './walks.ts';

/** Each walk-through as a list of steps, which the script turns into a player. */
export const TutorialsPage = ({ index }: { index: string }) => (
  <DocsFrame current={tutorials} index={index} contents={<WalkLinks />}>
    <article className="text">
      <h1>{tutorials.title}</h1>
      <p className="lead">
        Three walk-throughs over the real screens, with captions. Play them, or go step by step with the buttons or the
        arrow keys.
      </p>
      {walks.map((walk) => (
        <section key={walk.id} aria-labelledby={walk.id} className="walk" data-walk>
          <h2 id={walk.id}>{walk.title}</h2>
          <p>{walk.text}</p>
          <ol>
            {walk.steps.map((step, at) => (
              <li key={step.name}>
                <Step walk={walk} step={step} label={`Step ${at + 1} of ${walk.steps.length}`} />
              </li>
            ))}
          </ol>
          <div className="walk-controls" hidden>
            <button type="button" className="button primary" data-play>
              Play
            </button>
            <button type="button" className="button" data-previous>
              Previous
            </button>
            <button type="button" className="button" data-next>
              Next
            </button>
            <progress max={walk.steps.length} value={1} aria-label={`Steps of ${walk.title}`} />
          </div>
        </section>
      ))}
      <p>
        In words: <a href={docsPath('getting-started')}>Getting started</a>.
      </p>
    </article>
  </DocsFrame>
);

const WalkLinks = () => (
  <nav aria-labelledby="contents">
    <p id="contents">On this page</p>
    <ul>
      {walks.map(({ id, title }) => (
        <li key={id}>
          <a href={`#${id}`}>{title}</a>
        </li>
      ))}
    </ul>
  </nav>
);

function Step({ walk, step, label }: { walk: Walk; step: WalkStep; label: string }) {
  const [left, top, width, height] = spotOf(walk, step);
  return (
    <figure>
      <div className="screenshot">
        {(['light', 'dark'] as const).map((scheme) => (
          <img
            key={scheme}
            className={`only-${scheme}`}
            src={`/pictures/walks/${pictureOf(walk, step)}.${scheme}.webp`}
            width={960}
            height={600}
            alt={`Screen of step: ${step.caption}`}
            loading="lazy"
            decoding="async"
          />
        ))}
        <span
          className="spot"
          style={{ left: `${left}%`, top: `${top}%`, width: `${width}%`, height: `${height}%` }}
          aria-hidden="true"
        />
      </div>
      <figcaption>
        <span>{label}</span>
        {step.caption}
      </figcaption>
    </figure>
  );
}
