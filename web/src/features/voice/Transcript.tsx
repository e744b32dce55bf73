import { useLayoutEffect, useRef, useState } from 'react';
import { classNames } from '../../ui/classNames.ts';
import { useRowWords } from '../conversation/rowWords.ts';
import { clipMarks } from '../messageText/clipMarks.ts';

/** What is said in a voice note, under it: a few lines, and all of it where somebody wants to read on. */
export function Transcript({ text }: { text: string }) {
  const { t } = useRowWords();
  const words = useRef<HTMLParagraphElement>(null);
  const [open, setOpen] = useState(false);
  const [longer, setLonger] = useState(false);
  useLayoutEffect(() => {
    const element = words.current;
    if (element) setLonger(element.scrollHeight > element.clientHeight + 1);
  }, [text]);
  return (
    <div className="mt-1 max-w-72 text-14">
      <p
        ref={words}
        dir="auto"
        role="note"
        aria-label={t('conversation.transcript')}
        className={classNames('text-start whitespace-normal text-muted', !open && 'line-clamp-4')}
      >
        {clipMarks(text)}
      </p>
      {(longer || open) && (
        <button
          type="button"
          tabIndex={-1}
          aria-expanded={open}
          onClick={() => setOpen(!open)}
          className="-mx-1 rounded-control px-1 py-0.5 text-13 font-medium text-accent-text hover:underline"
        >
          {t(open ? 'conversation.showLess' : 'conversation.showAll')}
        </button>
      )}
    </div>
  );
}
