import { Anchor } from '@mantine/core';
import classes from './inbox.module.css';

const url = /(https?:\/\/[^\s<>"']*[^\s<>"'.,;:!?)\]])/;

/** Plain text with its own lines, whose web addresses can be followed. */
export function LinkedText({ text, isMono = false }: { text: string; isMono?: boolean }) {
  if (text.trim() === '') return 'There is no text part.';
  return (
    <div className={`${classes.text} ${isMono ? 'mono' : ''}`}>
      {text.split(url).map((part, place) =>
        // Every second part is what the expression caught.
        place % 2 === 1 ? (
          <Anchor key={place} href={part} target="_blank" rel="noopener noreferrer">
            {part}
          </Anchor>
        ) : (
          part
        ),
      )}
    </div>
  );
}
