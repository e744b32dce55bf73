import { ExternalLink, FlaskConical } from 'lucide-react';
import { useStore } from 'zustand';
import { configStore } from '../../session/config.ts';
import { useTexts } from '../../i18n/texts.ts';
import { phoneFormTexts } from './phoneFormTexts.ts';

/** Demo mode sends no messages, so the page shows the code to type (decision 5). */
export function DemoHint() {
  const { t } = useTexts(phoneFormTexts);
  const config = useStore(configStore, (state) => state.config);
  if (!config?.demoMode || config.demoCode === undefined) return null;
  return (
    <aside className="mt-6 flex gap-3 rounded-card bg-info-subtle p-4 text-13 text-info-text">
      <FlaskConical aria-hidden="true" className="mt-px size-[18px] shrink-0" />
      <div className="min-w-0">
        <p>{t('phoneForm:demoHint', { code: config.demoCode })}</p>
        {config.outboxUrl !== undefined && (
          <a
            href={config.outboxUrl}
            target="_blank"
            rel="noreferrer"
            className="mt-1.5 inline-flex items-center gap-1.5 font-medium underline underline-offset-2 pointer-coarse:min-h-11"
          >
            {t('phoneForm:openOutbox')}
            <ExternalLink aria-hidden="true" className="size-3.5" />
          </a>
        )}
      </div>
    </aside>
  );
}
