import type { ReactNode } from 'react';
import { useTexts } from '../../i18n/texts.ts';
import { classNames } from '../../ui/classNames.ts';
import { sealedTexts } from './sealedTexts.ts';

interface NoticeCardProps {
  tone: 'plain' | 'info' | 'warning' | 'danger';
  icon: ReactNode;
  title?: string;
  /** Buttons: beside the text if it stays wide enough to read, otherwise below it. */
  action?: ReactNode;
  children?: ReactNode;
}

const tones = {
  plain: 'text-muted',
  info: 'bg-info-subtle text-info-text',
  warning: 'bg-warning-subtle text-warning-text',
  danger: 'bg-danger-subtle text-danger-text',
};

/** Card above the composer about the encryption of the conversation. */
export function NoticeCard({ tone, icon, title, action, children }: NoticeCardProps) {
  const { t } = useTexts(sealedTexts);
  return (
    <section aria-label={t('sealed:region')} data-keep-clear className="shrink-0 border-t border-line bg-panel">
      <div className="mx-auto w-full max-w-200 px-3 sm:px-5">
        <div
          className={classNames(
            'flex flex-wrap items-center gap-x-4 gap-y-2 text-13 [&_svg]:shrink-0',
            tone === 'plain' ? 'py-1.5' : 'my-2.5 rounded-card px-3 py-2.5',
            tones[tone],
          )}
        >
          <div
            role="status"
            className="flex min-w-0 flex-[1_1_16rem] items-start gap-2.5 [&>svg]:mt-0.5 [&>svg]:size-4"
          >
            {icon}
            <div className="min-w-0 flex-1 wrap-anywhere">
              {title !== undefined && <p className="text-14 font-semibold">{title}</p>}
              {children}
            </div>
          </div>
          <div className="ms-auto flex flex-wrap justify-end gap-2 empty:hidden">{action}</div>
        </div>
      </div>
    </section>
  );
}
