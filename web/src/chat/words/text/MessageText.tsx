import { memo, Suspense, type ReactNode } from 'react';
import { isMarkupCandidate } from './markup.ts';
import type { MentionedPerson } from './mentions.ts';
import { stripMarkup } from './toPlainExcerpt.ts';
import { TextWithLinks } from './TextWithLinks.tsx';
import { lazyOptional } from '../../../ui/lazyComponents.tsx';

/* Most messages are plain, so the parser loads with the first that is not. */
const MarkupText = lazyOptional(async () => (await import('./MarkupText.tsx')).MarkupText, TextWithoutMarkup);

export const noMentions: readonly MentionedPerson[] = [];

export interface MessageTextProps {
  text: string;
  people?: readonly MentionedPerson[];
  /** Content at the end of the last line if it fits, for example the time. */
  end?: ReactNode;
}

function Plain({ text, people = noMentions, end }: MessageTextProps) {
  return (
    <>
      <TextWithLinks text={text} people={people} />
      {end}
    </>
  );
}

/** Hides markup characters while the parser loads. */
function TextWithoutMarkup(props: MessageTextProps) {
  return <Plain {...props} text={stripMarkup(props.text)} />;
}

export const MessageText = memo(function MessageText({ text, people = noMentions, end }: MessageTextProps) {
  const props = { text, people, end };
  if (!isMarkupCandidate(text)) return <Plain {...props} />;
  return (
    <Suspense fallback={<TextWithoutMarkup {...props} />}>
      <MarkupText {...props} />
    </Suspense>
  );
});
