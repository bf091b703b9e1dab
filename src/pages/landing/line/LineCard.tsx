import { firstLine, otherLines, readLine, timesShown } from './reading.ts';

/** The card that reads a line, drawn by the build. Without a script it shows no dates. */
export function LineCard() {
  // The wording of this line is the same on every day.
  const { rows } = readLine(firstLine, { now: Temporal.Now.instant(), timezone: 'UTC' });
  return (
    <form className="line" aria-label="A reminder in one line" data-line>
      <label htmlFor="line">Describe it in one line</label>
      <textarea id="line" rows={2} maxLength={300} defaultValue={firstLine} autoComplete="off" spellCheck={false} />
      <dl className="reading" aria-live="polite" data-reading>
        {rows.map(({ label, text }) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
      <div className="times" data-when>
        <h2>Next times</h2>
        <ol data-times>
          {Array.from({ length: timesShown }, (_, index) => (
            <li key={index}> </li>
          ))}
        </ol>
      </div>
      <ul className="remarks" data-remarks hidden />
      <button type="submit" className="button">
        Set up this reminder
      </button>
      <ul className="examples" aria-label="Other lines">
        {otherLines.map((line) => (
          <li key={line}>
            <button type="button" data-example>
              {line}
            </button>
          </li>
        ))}
      </ul>
    </form>
  );
}
