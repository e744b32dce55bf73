import { RotateCw, TriangleAlert } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from './Button.tsx';
import { classNames } from './classNames.ts';
import { useTexts } from '../i18n/texts.ts';

export interface ErrorStateProps {
  /** Description of the error, from the error catalogue. */
  title: ReactNode;
  description?: ReactNode;
  onRetry?: () => void;
  retrying?: boolean;
  /** True if the error is the whole page, so that its title is the page's. */
  whole?: boolean;
  className?: string;
}

export function ErrorState({ title, description, onRetry, retrying, whole = false, className }: ErrorStateProps) {
  const { t } = useTexts();
  const Title = whole ? 'h1' : 'h2';
  return (
    <div
      role="alert"
      className={classNames('flex flex-col items-center justify-center px-6 py-12 text-center text-balance', className)}
    >
      <span
        aria-hidden="true"
        className="mb-4 flex size-14 items-center justify-center rounded-full bg-danger-subtle text-danger-text"
      >
        <TriangleAlert className="size-6" />
      </span>
      <Title className="text-16 font-semibold">{title}</Title>
      {description !== undefined && <p className="mt-1 max-w-80 text-14 text-muted">{description}</p>}
      {onRetry !== undefined && (
        <Button kind="secondary" className="mt-5" icon={<RotateCw />} busy={retrying} onClick={onRetry}>
          {t('common.retry')}
        </Button>
      )}
    </div>
  );
}
