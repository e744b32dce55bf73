import { cutText } from '@nolo/rules';
import { classNames } from '../../ui/classNames.ts';
import { clipCombiningMarks } from '../words/text/clipCombiningMarks.ts';

/**
 * Cuts long names in the middle, because the beginning and the extension identify a file. Hidden from screen readers.
 */
export function FileName({ name, className }: { name: string; className?: string }) {
  const dot = name.lastIndexOf('.');
  const tail = dot > 0 && name.length - dot <= 8 ? name.length - dot + 3 : 6;
  const beginning = cutText(name, Math.max(0, name.length - tail));
  return (
    // The name has its own direction inside and is aligned to the start of the interface.
    <span aria-hidden="true" className={classNames('flex min-w-0', className)}>
      <span dir="auto" className="flex max-w-full min-w-0">
        <span className="truncate whitespace-pre">{clipCombiningMarks(beginning)}</span>
        <span className="shrink-0 whitespace-pre">{clipCombiningMarks(name.slice(beginning.length))}</span>
      </span>
    </span>
  );
}
