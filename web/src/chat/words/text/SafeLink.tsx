import { ShieldAlert } from 'lucide-react';
import { useState, type MouseEvent, type ReactNode } from 'react';
import { useIsBarred } from '../../../session/barredHosts.ts';
import { classNames } from '../../../ui/classNames.ts';
import { lazyDialog } from '../../../ui/lazyDialog.tsx';
import { useTexts } from '../../../i18n/texts.ts';
import { messagesTexts } from '../messagesTexts.ts';

const BarredDialog = lazyDialog(async () => (await import('./BarredLinkDialog.tsx')).BarredLinkDialog);

interface SafeLinkProps {
  href: string;
  className: string;
  children: ReactNode;
  /** True if the link has its own line, as in a list. */
  block?: boolean;
}

/**
 * Renders a link written by a person. It sends no referrer, and is disabled if operators bar its host. All user-written
 * links must use it.
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

/** Shows the text of a blocked link, with a label beside it. */
function BarredLink({ href, block, children }: Pick<SafeLinkProps, 'href' | 'children'> & { block: boolean }) {
  const { t } = useTexts(messagesTexts);
  const [isOpen, setIsOpen] = useState(false);
  const open = (event: MouseEvent) => {
    // Keeps the press from the surrounding element, such as a message.
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
        {t('messages:barredLink')}
      </button>
      {isOpen && <BarredDialog href={href} onClose={() => setIsOpen(false)} />}
    </>
  );
}
