import { classNames } from '../../ui/classNames.ts';
import { clipMarks } from '../words/text/clipMarks.ts';

export interface FileNameProps {
  name: string;
  className?: string;
}

/** The middle goes where a name is too long: its beginning and its ending say what it is. For the eye alone. */
export function FileName({ name, className }: FileNameProps) {
  const dot = name.lastIndexOf('.');
  const at = Math.max(0, dot > 0 && name.length - dot <= 8 ? dot - 3 : name.length - 6);
  return (
    // Of a direction of its own inside, and at the interface's start as a whole.
    <span aria-hidden="true" className={classNames('flex min-w-0', className)}>
      <span dir="auto" className="flex max-w-full min-w-0">
        <span className="truncate whitespace-pre">{clipMarks(name.slice(0, at))}</span>
        <span className="shrink-0 whitespace-pre">{clipMarks(name.slice(at))}</span>
      </span>
    </span>
  );
}
