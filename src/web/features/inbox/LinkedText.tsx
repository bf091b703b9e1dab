import { Anchor } from '@mantine/core';
import { webAddresses } from '#domain/web-addresses.ts';
import classes from './inbox.module.css';

/** Plain text with line breaks and clickable URLs. */
export function LinkedText({ text, isMono = false }: { text: string; isMono?: boolean }) {
  if (text.trim() === '') return 'This message has no text part.';
  return (
    <div className={`${classes.text} ${isMono ? 'mono' : ''}`}>
      {text.split(webAddresses).map((part, index) =>
        // `split` puts the captured URLs at odd indexes.
        index % 2 === 1 ? (
          <Anchor key={index} href={part} target="_blank" rel="noopener noreferrer">
            {part}
          </Anchor>
        ) : (
          part
        ),
      )}
    </div>
  );
}
