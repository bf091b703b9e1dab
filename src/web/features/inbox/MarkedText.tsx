import { Anchor, Box } from '@mantine/core';
import prose from '#web/ui/prose.module.css';
import type { Piece } from './marked-text.ts';

/** Formatted text with line breaks and clickable URLs. */
export function MarkedText({ pieces }: { pieces: readonly Piece[] }) {
  return (
    <Box component="span" lh="1.375rem" className={prose.written}>
      {pieces.map((piece, index) => (
        <Marked key={index} piece={piece} />
      ))}
    </Box>
  );
}

function Marked({ piece }: { piece: Piece }) {
  switch (piece.kind) {
    case 'plain':
      return piece.text;
    case 'bold':
      return <strong>{piece.text}</strong>;
    case 'italic':
      return <em>{piece.text}</em>;
    case 'struck':
      return <s>{piece.text}</s>;
    case 'code':
      return <code>{piece.text}</code>;
    case 'link':
      return (
        <Anchor href={piece.url} target="_blank" rel="noopener noreferrer" inherit>
          {piece.text}
        </Anchor>
      );
  }
}
