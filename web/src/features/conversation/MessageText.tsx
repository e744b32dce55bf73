import { memo } from 'react';
import { findLinks } from './links.ts';

/** A message's words, with links that tell the other side nothing of where they were found. */
export const MessageText = memo(function MessageText({ text }: { text: string }) {
  return findLinks(text).map((part, index) =>
    part.href === null ? (
      part.text
    ) : (
      <a
        // The parts of one text never move.
        key={index}
        href={part.href}
        target="_blank"
        rel="noopener noreferrer nofollow"
        title={part.href}
        className="rounded-[3px] text-accent-text underline decoration-1 underline-offset-2 [unicode-bidi:isolate] hover:decoration-2"
      >
        {part.text}
      </a>
    ),
  );
});
