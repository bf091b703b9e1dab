import type { ReadRecipients } from './read-recipients.ts';
import classes from './SeveralRecipients.module.css';

const namedAtMost = 5;

/** `from`: the name of the file, null for pasted text. */
export function ReadRecipientsText({ read, from }: { read: ReadRecipients; from: string | null }) {
  const { unusable } = read;
  const more = unusable.length - namedAtMost;
  return (
    <div className={classes.report} role="status">
      <p>
        {from !== null && `${from}: `}
        {readInWords(read)}
      </p>
      {unusable.length > 0 && (
        <>
          <ul>
            {unusable.slice(0, namedAtMost).map(({ line, text, why }) => (
              <li key={`${line} ${text}`}>
                Line {line}, “{text}”: {why}
              </li>
            ))}
            {more > 0 && <li>and {more.toLocaleString('en')} more</li>}
          </ul>
          <p>{unusable.length === 1 ? 'It is' : 'They are'} left in the box, to be corrected or removed.</p>
        </>
      )}
    </div>
  );
}

/** `3 added, 1 already added, 2 not valid`. */
function readInWords({ added, present, unusable }: ReadRecipients): string {
  const count = (number: number) => number.toLocaleString('en');
  return [
    `${count(added.length)} added`,
    ...(present > 0 ? [`${count(present)} already added`] : []),
    ...(unusable.length > 0 ? [`${count(unusable.length)} not valid`] : []),
  ].join(', ');
}
