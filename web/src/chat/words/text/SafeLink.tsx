import { ShieldAlert } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { useState } from 'react';
import { useIsBarred } from '../../../session/barredHosts.ts';
import { classNames } from '../../../ui/classNames.ts';
import { late } from '../../../ui/late.tsx';
import { useMessageWords } from '../useMessageWords.ts';

const BarredDialog = late(async () => (await import('./BarredDialog.tsx')).BarredDialog);

interface SafeLinkProps {
  href: string;
  className: string;
  children: ReactNode;
  /** Has a line of its own, as in a list. */
  block?: boolean;
}

/**
 * A link that somebody wrote. It tells the other side nothing of where it was found, and where operators bar its host it is
 * none: whoever shows a link of people shows it by this.
 */
export function SafeLink({ href, className, children, block = false }: SafeLinkProps) {
  if (useIsBarred(href)) {
    return (
      <BarredLink href={href} block={block}>
        {children}
      </BarredLink>
    );
  }
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow" title={href} className={className}>
      {children}
    </a>
  );
}

/** The words that stood in the link, and beside them that it is blocked. */
function BarredLink({ href, block, children }: Pick<SafeLinkProps, 'href' | 'children'> & { block: boolean }) {
  const { t } = useMessageWords();
  const [isOpen, setIsOpen] = useState(false);
  const open = (event: MouseEvent) => {
    // What lies around it, as a message does, is not meant.
    event.stopPropagation();
    setIsOpen(true);
  };
  return (
    <>
      <span className={classNames('[unicode-bidi:isolate]', block && 'flex min-w-0 items-center gap-2.5 px-1 py-1')}>
        {children}
      </span>{' '}
      <button
        type="button"
        onClick={open}
        className={classNames(
          'inline-flex items-baseline gap-1 rounded-[3px] text-12 font-medium text-danger-text underline decoration-1 underline-offset-2 hover:decoration-2',
          block && 'mx-1 mb-1',
        )}
      >
        <ShieldAlert aria-hidden="true" className="size-3.5 shrink-0 self-center" />
        {t('messages.barredLink')}
      </button>
      {isOpen && <BarredDialog href={href} onClose={() => setIsOpen(false)} />}
    </>
  );
}
