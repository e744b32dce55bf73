import type { LucideIcon } from 'lucide-react';
import { useId, useState } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { sealedRowsTexts } from './sealedRowsTexts.ts';

interface ExplainedLineProps {
  icon: LucideIcon;
  text: string;
  /** Explanation, shown on a press. */
  why?: string;
  /** Something else to do about it. */
  action?: { readonly label: string; readonly onClick: () => void };
}

const buttonClasses = 'tap shrink-0 rounded-control font-medium text-accent-text underline-offset-2 hover:underline';

/** Line between messages, with what it means. */
export function ExplainedLine({ icon: Icon, text, why, action }: ExplainedLineProps) {
  const { t } = useTexts(sealedRowsTexts);
  const [isOpen, setIsOpen] = useState(false);
  const whyId = useId();
  return (
    <div data-bubble className="mx-auto w-fit max-w-120 px-4 py-1 text-center text-13 text-balance text-muted">
      <span className="flex flex-wrap items-baseline justify-center gap-x-2">
        <span className="wrap-anywhere">
          <Icon aria-hidden="true" className="me-1.5 inline size-3.5 align-[-2px]" />
          {text}
        </span>
        {why !== undefined && (
          <button
            type="button"
            aria-expanded={isOpen}
            aria-controls={whyId}
            onClick={() => setIsOpen(!isOpen)}
            className={buttonClasses}
          >
            {t('sealedRows:why')}
          </button>
        )}
        {action && (
          <button type="button" onClick={action.onClick} className={buttonClasses}>
            {action.label}
          </button>
        )}
      </span>
      {why !== undefined && (
        <p id={whyId} hidden={!isOpen} className="mt-0.5">
          {why}
        </p>
      )}
    </div>
  );
}
